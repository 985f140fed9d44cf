"""Parts of the declarations in a syntax tree."""

from typing import Any

_FUNCTION_VALUES = frozenset(
    {"arrow_function", "function_expression", "function", "generator_function", "class"}
)


def last_function(node: Any) -> Any:
    """The last function among what a call is given."""
    call = node.named_children[0] if node.named_children else None
    arguments = call.child_by_field_name("arguments") if call else None
    functions = (
        [c for c in arguments.named_children if c.type in _FUNCTION_VALUES] if arguments else []
    )
    return functions[-1] if functions else None


def body_of(node: Any) -> Any:
    """The body of a declaration, or of the function that it names; None without one."""
    definition = node.child_by_field_name("definition")
    body = (definition or node).child_by_field_name("body")
    if body is not None:
        return body
    for child in node.named_children:
        value = child.child_by_field_name("value")
        if value is not None and value.type in _FUNCTION_VALUES:
            return value.child_by_field_name("body")
    return None


def holds_function(node: Any) -> bool:
    """True where what is assigned is a function."""
    for child in node.named_children:
        for field in ("value", "right"):
            value = child.child_by_field_name(field)
            if value is not None and value.type in _FUNCTION_VALUES:
                return True
    return False


def assigns(node: Any) -> bool:
    """True for a statement that assigns."""
    return any(
        child.type in ("assignment", "assignment_expression") for child in node.named_children
    )


def is_braced(body: Any) -> bool:
    """True for a body between braces."""
    return bool(body.children and body.children[0].type == "{")
