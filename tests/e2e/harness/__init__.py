"""The real host around the tests: its installation, its gateway and a scripted model.

host_install      the pinned host and its Node, brought once
private_host      one private installation: folders, configuration, command line
gateway           a running gateway: turns, resets, restarts, transcript, log
scripted_model    the model behind it, which keeps every request it gets
scenario          the scripted agent: the user's words say which tools it calls
rig               a gateway and its model, brought up and taken down together
prefix, figures   what requests have in common, and what a session cost
"""
