"""Base of all addresses of the API: strict parameters, bounded pages.

DRF's own paginators bring a page size that is out of bounds back into them without a word, name
hosts in “next”, and hide an id in a cursor; here a wrong parameter is refused by its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.utils.cache import patch_cache_control, patch_vary_headers
from rest_framework import generics, serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import BasePagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.viewsets import ViewSetMixin

MAX_ID = 2**63 - 1
MAX_PAGE = 10_000
METHODS = ["get", "head", "post"]


class Strict(serializers.Serializer[Any]):
    """Refuses names that it does not know, beside all else that is wrong: a typo is no default."""

    word = "field"  # for a name of the input

    def to_internal_value(self, data: Any) -> Any:
        known = ", ".join(sorted(self.fields))
        words = [f"There is no such {self.word}. Use one of {known}."]
        unknown = set(data) - set(self.fields) if isinstance(data, Mapping) else ()
        wrong: dict[str, Any] = {str(name)[:80]: words for name in sorted(unknown, key=str)}
        try:
            checked = super().to_internal_value(data)
        except serializers.ValidationError as error:
            others: Any = error.detail
            raise serializers.ValidationError({**others, **wrong}) from None
        if wrong:
            raise serializers.ValidationError(wrong)
        return checked


class Query(Strict):
    """The parameters that an address takes. Others are refused, so typos don't go unnoticed."""

    word = "parameter"

    page_size = serializers.IntegerField(
        required=False, min_value=1, max_value=200, help_text="Rows of one page; 50 by default."
    )


class NumberedQuery(Query):
    """For lists that stay short."""

    page = serializers.IntegerField(
        required=False, min_value=1, max_value=MAX_PAGE, help_text="From 1."
    )


class LatestQuery(Query):
    """For lists that grow for ever."""

    before = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_ID,
        help_text="Only rows with a smaller id; “next” contains it.",
    )


class Pages(BasePagination):
    """Pages by number, with the count of all rows."""

    default_size = 50

    def paginate_queryset(
        self, queryset: QuerySet[Any] | Sequence[Any], request: Request, view: Any = None
    ) -> list[Any]:
        asked = view.asked
        self.request, self.size = request, asked.get("page_size", self.default_size)
        self.page = asked.get("page", 1)
        self.count = queryset.count() if isinstance(queryset, QuerySet) else len(queryset)
        start = (self.page - 1) * self.size
        if start >= max(self.count, 1):
            raise NotFound
        return self.load(queryset[start : start + self.size])

    def load(self, rows: QuerySet[Any] | Sequence[Any]) -> list[Any]:
        """The rows of the page, as its serializer takes them."""
        return list(rows)

    def get_paginated_response(self, data: Any) -> Response:
        more = self.page * self.size < self.count
        return Response(
            {
                "count": self.count,
                "next": address_with(self.request, page=self.page + 1) if more else None,
                "results": data,
            }
        )

    def get_paginated_response_schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        return page_schema(schema, {"count": {"type": "integer", "minimum": 0}})


class Latest(BasePagination):
    """The newest rows first, each page from where the last one ended: as quick at any depth."""

    default_size = 50

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        size = view.asked.get("page_size", self.default_size)
        if "before" in view.asked:
            queryset = queryset.filter(pk__lt=view.asked["before"])
        rows = list(queryset.order_by("-pk")[: size + 1])
        self.next = address_with(request, before=rows[size - 1].pk) if len(rows) > size else None
        return rows[:size]

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"next": self.next, "results": data})

    def get_paginated_response_schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        return page_schema(schema, {})


def page_schema(rows: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    following = {"type": ["string", "null"], "description": "Address of the next page."}
    properties = {**more, "next": following, "results": rows}
    return {"type": "object", "required": list(properties), "properties": properties}


def address_with(request: Request, **changes: object) -> str:
    """The address that was asked for, with some of its parameters changed."""
    kept = {**request.query_params.dict(), **{k: str(v) for k, v in changes.items()}}
    return f"{request.path}?{urlencode(kept)}"


class Api(APIView):
    """A view of the API."""

    http_method_names = METHODS
    query_class: ClassVar[type[serializers.Serializer[Any]] | None] = None
    posted_query: ClassVar[type[serializers.Serializer[Any]] | None] = None  # of a POST
    asked: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        query = self.posted_query if request.method == "POST" else self.query_class
        self.asked = read_query(query, request) if query else {}

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Mark the response private, since it can hold what only a token's owner can see."""
        response = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(response, Response):  # a file has no rows
            response.add_post_render_callback(self.let_go)
        patch_vary_headers(response, ["Authorization"])
        if request.headers.get("Authorization"):
            is_kept = request.method in SAFE_METHODS and response.status_code == 200
            freshness = {"no_cache": True} if is_kept else {"no_store": True}
            patch_cache_control(response, private=True, **freshness)
        return response

    def let_go(self, response: Response) -> None:
        """Take the answer out of the ring of view, request and answer, once its bytes are made.

        A thousand rows would wait there for the oldest generation's garbage collection: plain
        records do not bring that on, and the process grew with every request."""
        response.data = None
        vars(response).pop("renderer_context", None)
        vars(self).pop("response", None)


class ApiSet(ViewSetMixin, Api):
    """Several acts on one thing, each at an address of its own."""


class Listing(Api, generics.ListAPIView[Any]):
    """A list of one resource, in pages."""

    pagination_class: type[BasePagination] = Pages
    query_class: ClassVar[type[serializers.Serializer[Any]] | None] = NumberedQuery
    columns: ClassVar[Mapping[str, str]] = {}  # by parameter, what rows are chosen by

    @property
    def wanted(self) -> dict[str, Any]:
        """The parameters that choose rows, by column."""
        return {self.columns[name]: v for name, v in self.asked.items() if name in self.columns}


def read_query(query_class: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """The parameters of the address, checked. ValidationError names those that are wrong."""
    query = query_class(data=request.query_params.dict())
    query.is_valid(raise_exception=True)
    return dict(query.validated_data)
