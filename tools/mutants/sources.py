"""Lists every mutant of a source file: one small change each, found in its syntax tree.

Not mutated are docstrings, annotations, decorators, logging calls, assertions (also `zip(...,
strict=True)`), and the first binding of a name: they have no effect on behaviour, or only a broken
program would run without them.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

ANOTHER_TEXT = ": another text"
"""How the change ends by which a sentence has other words."""
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
_LOGGERS = ("log", "logger")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file.

    ``line`` is the text of the line it starts in and ``change`` describes the change: together with
    ``file`` they identify the mutant as long as the line is unchanged. ``number`` is the line's,
    ``function`` the first line of the innermost function around it (0 outside of functions),
    ``source`` the file with the change.
    """

    file: str
    number: int
    function: int
    line: str
    change: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of the mutant."""
        return self.file, self.line, self.change


def mutants(file: str, source: str) -> list[Mutant]:
    """All mutants of a file, in source order, with distinct keys."""
    walk = _Walk(file, source)
    walk.visit(ast.parse(source))
    known: dict[tuple[str, str, str], Mutant] = {}
    for mutant in sorted(walk.found, key=lambda mutant: mutant.number):
        known.setdefault(mutant.key, mutant)
    return list(known.values())


class _Walk(ast.NodeVisitor):
    """Visits a module and collects its mutants in ``found``."""

    def __init__(self, file: str, source: str) -> None:
        self.found: list[Mutant] = []
        self._file = file
        self._lines = source.encode().splitlines(keepends=True)
        self._function: ast.FunctionDef | ast.AsyncFunctionDef | None = None
        self._text: ast.JoinedStr | None = None

    def visit(self, node: ast.AST) -> None:
        if not isinstance(node, ast.stmt | ast.expr):
            self.generic_visit(node)
            return
        if _is_docstring(node) or _is_logging(node) or isinstance(node, ast.Assert) or _is_unreachable(node):
            return
        for change, replacement in _changes(node, self._function):
            self._add(node, change, replacement)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._enter(node)
            case ast.ClassDef():
                for statement in node.body:
                    self.visit(statement)
            case ast.AnnAssign():
                if node.value is not None:
                    self.visit(node.value)
            case ast.JoinedStr() if self._text is None:
                self._text = node
                self.generic_visit(node)
                self._text = None
            case ast.FormattedValue():
                self.visit(node.value)
            case ast.Call():
                for part in (node.func, *node.args, *[word.value for word in node.keywords if word.arg != "strict"]):
                    self.visit(part)
            case _:
                self.generic_visit(node)

    def _enter(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        outer, self._function = self._function, node
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self._function = outer

    def _add(self, node: ast.stmt | ast.expr, change: str, replacement: ast.AST) -> None:
        """Adds a mutant, unless it does not compile.

        Nodes inside an f-string have no usable position before Python 3.12, so the whole string is
        replaced.
        """
        place: ast.stmt | ast.expr = node
        if self._text is not None:
            place, replacement = self._text, _replaced(self._text, node, replacement)
        text = ast.unparse(replacement)
        source = self._spliced(place, text if isinstance(place, ast.stmt) else f"({text})")
        try:
            compile(source, self._file, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return
        number = place.lineno
        self.found.append(
            Mutant(
                self._file,
                number,
                _first_line(self._function),
                self._lines[number - 1].decode().strip(),
                change,
                source,
            )
        )

    def _spliced(self, place: ast.stmt | ast.expr, text: str) -> str:
        assert place.end_lineno is not None
        assert place.end_col_offset is not None
        before = b"".join(self._lines[: place.lineno - 1]) + self._lines[place.lineno - 1][: place.col_offset]
        after = self._lines[place.end_lineno - 1][place.end_col_offset :] + b"".join(self._lines[place.end_lineno :])
        if isinstance(place, ast.stmt):
            text = text.replace("\n", "\n" + " " * place.col_offset)
        return (before + text.encode() + after).decode()


def _changes(
    node: ast.stmt | ast.expr, function: ast.FunctionDef | ast.AsyncFunctionDef | None
) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                for other in _COMPARED[type(operator)]:
                    yield (
                        f"{_written(node)}: {_sign(operator)} becomes {_sign(other())}",
                        _with(node, lambda new, index=index, other=other: new.ops.__setitem__(index, other())),
                    )
        case ast.BinOp() if type(node.op) in _COMPUTED and _computes(node, function is not None):
            other_sign = _COMPUTED[type(node.op)]()
            yield (
                f"{_written(node)}: {_operator(node.op)} becomes {_operator(other_sign)}",
                _with(node, lambda new: setattr(new, "op", other_sign)),
            )
        case ast.BoolOp():
            swapped = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            words = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
            yield (
                f"{_written(node)}: {words[0]} becomes {words[1]}",
                _with(node, lambda new: setattr(new, "op", swapped)),
            )
        case ast.UnaryOp(op=ast.Not()):
            yield f"{_written(node)}: without not", node.operand
        case ast.IfExp():
            yield f"{_written(node)}: branches swapped", ast.IfExp(node.test, node.orelse, node.body)
        case ast.If() if not _is_type_checking(node) and not _is_negated_elsewhere(node.test):
            yield f"if {_written(node.test)}: condition negated", _negated(node)
        case ast.Constant(value=bool() as value):
            yield f"{value} becomes {not value}", ast.Constant(not value)
        case ast.Constant(value=int() as value):
            for changed in (value + 1, value - 1):
                yield f"{value} becomes {changed}", ast.Constant(changed)
        case ast.Constant(value=str() as value) if _is_sentence(value):
            yield f"{value!r}{ANOTHER_TEXT}", ast.Constant(_other_text(value))
        case ast.Return(value=ast.expr() as returned) if not _is_empty(returned):
            yield f"{_written(node)}: returns None", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Break() | ast.Continue() | ast.Delete():
            yield f"{_written(node)}: removed", ast.Pass()
        case ast.Assign() if function is not None and _binds_again(node, function):
            yield f"{_written(node)}: removed", ast.Pass()


def _negated(node: ast.If) -> ast.AST:
    """A copy of the statement with its condition negated. The whole statement is replaced, as the
    text of the condition may be split over lines.
    """
    new = copy.deepcopy(node)
    new.test = ast.UnaryOp(ast.Not(), new.test)
    return new


def _with(node: ast.AST, change: Callable[..., object]) -> ast.AST:
    new = copy.deepcopy(node)
    change(new)
    return new


def _replaced(text: ast.JoinedStr, node: ast.AST, replacement: ast.AST) -> ast.AST:
    """A copy of an f-string with one node replaced."""

    class Replace(ast.NodeTransformer):
        def visit(self, seen: ast.AST) -> ast.AST:
            return replacement if seen is node else self.generic_visit(copy.copy(seen))

        def generic_visit(self, seen: ast.AST) -> ast.AST:
            for field, value in ast.iter_fields(seen):
                if isinstance(value, list):
                    setattr(seen, field, [self.visit(one) if isinstance(one, ast.AST) else one for one in value])
                elif isinstance(value, ast.AST):
                    setattr(seen, field, self.visit(value))
            return seen

    changed: ast.AST = Replace().visit(text)
    return changed


def _other_text(text: str) -> str:
    """The text with its first word of three letters or more changed."""
    words = text.split(" ")
    at = next(index for index, word in enumerate(words) if word.isalpha() and len(word) > 2)
    return " ".join((*words[:at], f"un{words[at]}", *words[at + 1 :]))


def _is_sentence(text: str) -> bool:
    words = text.split(" ")
    return len(words) > 1 and any(word.isalpha() and len(word) > 2 for word in words)


def _is_empty(value: ast.expr) -> bool:
    """Whether the value is as false as ``None``, so that returning ``None`` would hardly differ."""
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.Tuple(elts=[]) | ast.List(elts=[]) | ast.Dict(keys=[]):
            return True
    return False


def _computes(node: ast.BinOp, inside: bool) -> bool:
    """Whether the operation is arithmetic or on sets, not a union of types or a concatenation of
    text.
    """
    if isinstance(node.op, ast.BitOr):
        return inside and not any(isinstance(side, ast.Constant) for side in (node.left, node.right))
    return not any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in (node.left, node.right)
    )


def _binds_again(node: ast.Assign, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the names it binds are bound elsewhere too."""
    bound = [name.id for name in ast.walk(function) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]
    bound += [argument.arg for argument in ast.walk(function) if isinstance(argument, ast.arg)]
    mine = [name.id for target in node.targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    stored = [name for name in mine if name in bound]
    return all(bound.count(name) > stored.count(name) for name in stored)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_logging(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else node
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id in _LOGGERS
    )


def _is_unreachable(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Raise)
        and isinstance(node.exc, ast.Call)
        and isinstance(node.exc.func, ast.Name)
        and node.exc.func.id == "AssertionError"
    )


def _is_negated_elsewhere(test: ast.expr) -> bool:
    """Whether another mutant has the same effect as negating the whole condition."""
    match test:
        case ast.Compare(ops=[operator]):
            return isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot | ast.In | ast.NotIn)
        case ast.UnaryOp(op=ast.Not()):
            return True
    return False


def _is_type_checking(node: ast.If) -> bool:
    return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _first_line(function: ast.FunctionDef | ast.AsyncFunctionDef | None) -> int:
    """The first line of the function according to Python: that of its first decorator, if any."""
    if function is None:
        return 0
    return min(part.lineno for part in (function, *function.decorator_list))


def _written(node: ast.AST) -> str:
    return ast.unparse(node).replace("\n", " ")


def _sign(operator: ast.cmpop) -> str:
    return ast.unparse(ast.Compare(ast.Name("a"), [operator], [ast.Name("b")]))[2:-2]


def _operator(operator: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), operator, ast.Name("b")))[2:-2]
