"""The wire: server, servicer, client, and the change between wire and model.

Only this package imports grpc and the generated stubs.
"""
