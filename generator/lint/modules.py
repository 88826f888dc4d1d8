"""From the modules that were asked for to the trees that hold them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import UserError
from generator.lint.configuration import Configurations
from generator.lint.defects import defect
from generator.lint.discovery import Group
from generator.lint.request import Request

if TYPE_CHECKING:
    from generator.hcl.module_files import Reading
    from generator.hcl.project import Project, Root, RootSettings
    from generator.view import ModuleTree

# A module that requires the provider is read too, resources or not: its constraints and its syntax concern all who call it.
_PROVIDER = "hashicorp/google"


class Modules:
    """Finds roots and makes trees, with the values and settings of one run.

    Args:
        request: variables and environment.
        configurations: what is said about each root.
    """

    def __init__(self, request: Request, configurations: Configurations) -> None:
        self._request = request
        self._configurations = configurations

    def roots(self, group: Group) -> list[tuple[Project, Root]]:
        """The roots whose trees hold the modules of a group; none where nothing is of interest."""
        from generator.hcl.project import Options, Project
        from generator.schema.provider import types_of_interest

        options = Options(
            types=types_of_interest() | {_PROVIDER},
            settings=self._settings,
            arguments=self._request.variables,
            environment=self._request.environment,
            folders=group.folders,
        )
        project = Project(group.top, options)
        return [(project, root) for root in project.roots(group.modules)]

    def trees(self, roots: Iterable[tuple[Project, Root]], errors: list[Exception]) -> list[ModuleTree]:
        """The tree of each root.

        Args:
            roots: from `roots`.
            errors: roots whose variables cannot be read are told here; the others are made.
        """
        found: list[ModuleTree] = []
        seen: set[str] = set()
        for project, root in roots:
            from generator.view.text import tree

            try:
                found.append(tree(project, root))
            except UserError as error:
                if str(error) not in seen:
                    seen.add(str(error))
                    errors.append(error)
            except Exception as error:
                errors.append(defect("the reader", error, path=root.directory))
        return found

    def undeclared(self, roots: Iterable[tuple[Project, Root]]) -> list[str]:
        """The variables that `--var` names and none of the roots declares; none where a root cannot be read in full."""
        if not self._request.variables:
            return []
        from generator.hcl.variables import ValueArgument

        named = {a.name for a in self._request.variables if isinstance(a, ValueArgument)}
        modules = [project.module(root.directory, root.reading) for project, root in roots] if named else []
        if not modules or any(module is None or module.declared.broken for module in modules):
            return []
        return sorted(named - {name for module in modules if module for name in module.declared.variables})

    def _settings(self, root: Path) -> RootSettings:
        from generator.hcl.project import RootSettings

        configuration = self._configurations.of(root)
        program = configuration.terraform
        # The embedded core is Terraform's.
        reading: Reading | None = None if program is None else "tofu" if program == "tofu" else "terraform"
        return RootSettings(reading, configuration.var_files)
