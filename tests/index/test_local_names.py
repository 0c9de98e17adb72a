"""Names made from IRIs alone: the label, and what else people may call the item."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.local_names import LocalNames

BASE = "http://shop.example/"
TABLES = ("customer", "orders", "product_types", "ref_payment_methods", "employee")


def item(kind: Kind, local: str, leads_to: str = "") -> SchemaItem:
    return SchemaItem(kind, BASE + local, "", ranges=((BASE + leads_to, 1),) if leads_to else ())


def names(one: SchemaItem, *others: SchemaItem) -> tuple[str, ...]:
    tables = [item(Kind.CONCEPT, table) for table in TABLES]
    return LocalNames.of((*tables, one, *others)).names(one)


@pytest.mark.parametrize(
    ("local", "label", "alias"),
    [
        ("customer#credit_limit", "credit limit", "customer credit limit"),
        ("customer#creditLimit", "credit limit", "customer credit limit"),
        ("customer#Credit-Limit", "credit limit", "customer credit limit"),
        ("orders#total", "total", "order total"),
        ("orders#orderdate", "order date", "orderdate"),
        ("customer#fullname", "full name", "fullname"),
        ("customer#fname", "fname", "first name"),
        ("customer#lname", "lname", "customer last name"),
        ("customer#customerid", "customer id", "customerid"),
        ("product_types#tot_num", "tot num", "total number"),
        ("product_types#productcode", "product code", "productcode"),
        ("employee#emp_hiredate", "emp hire date", "employee hire date"),
        ("customer#cname", "cname", "customer name"),
        ("orders#custid", "custid", "customer id"),
        ("orders#HTTPStatus", "HTTP status", "order HTTP status"),
        ("employee#address2", "address 2", "employee address 2"),
    ],
)
def test_a_column_is_called_by_its_words_and_its_table(local: str, label: str, alias: str) -> None:
    found = names(item(Kind.ATTRIBUTE, local))
    assert found[0] == label
    assert alias in found[1:]


@pytest.mark.parametrize(
    ("local", "leads_to", "expected"),
    [
        ("orders#ref-customer_id", "customer", ("customer", "customer id")),
        ("orders#ref-payer", "customer", ("payer", "customer")),
        ("orders#ref-id", "product_types", ("product type", "id")),
        ("orders#ref-fname;lname", "customer", ("fname lname", "customer", "first name last name")),
    ],
)
def test_a_reference_is_called_by_what_it_leads_to(
    local: str, leads_to: str, expected: tuple[str, ...]
) -> None:
    assert names(item(Kind.RELATION, local, leads_to)) == expected


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ("hasPolicyHolder", ("has policy holder", "policy holder")),
        ("hasDOI", ("has DOI",)),
        ("directed_by", ("directed by",)),
        ("ontology#hiringDate", ("hiring date",)),
        ("employee_hire_evaluation#Hire", ("hire",)),
        ("T1", ("T1", "T 1")),
        ("releaseYear", ("release year",)),
        ("birthday", ("birthday",)),
        ("candidate", ("candidate",)),
        ("valid", ("valid",)),
        ("person", ("person",)),
        ("isPartOf", ("is part of", "part of")),
        ("is-member-of", ("is member of", "member of")),
        ("hasISBN13Number", ("has ISBN13 number", "ISBN13 number", "has ISBN 13 number")),
        ("XMLHttpRequest", ("XML http request",)),
        ("VAT_ID", ("VAT ID",)),
        ("Lieferantenadresse", ("lieferantenadresse",)),
        ("stra%C3%9FenName", ("straßen name",)),
        ("net%20weight", ("net weight",)),
        ("Q42", ("Q42",)),
        ("P_0012", ("P_0012",)),
        ("p-007", ("p-007",)),
        ("ISO9001", ("ISO9001",)),
        ("123e4567-e89b-12d3-a456-426614174000", ("123e4567-e89b-12d3-a456-426614174000",)),
        ("year2010", ("year 2010",)),
    ],
)
def test_other_iris_are_called_by_their_words(local: str, expected: tuple[str, ...]) -> None:
    assert names(item(Kind.RELATION, local)) == expected


def test_a_table_of_codes_goes_without_its_mark() -> None:
    assert names(item(Kind.CONCEPT, "ref_payment_methods")) == ("ref payment methods", "payment methods")


def test_words_are_parted_by_what_the_schema_is_made_of() -> None:
    column = item(Kind.ATTRIBUTE, "orders#warehousemanager")
    assert names(column)[0] == "warehousemanager"
    warehouse, manager = item(Kind.CONCEPT, "warehouse"), item(Kind.ATTRIBUTE, "employee#manager")
    assert names(column, warehouse, manager)[0] == "warehouse manager"


def test_names_are_few_and_different() -> None:
    found = names(item(Kind.ATTRIBUTE, "orders#emp_dept_loc_custid"))
    assert len(found) == len(set(found)) <= 6
