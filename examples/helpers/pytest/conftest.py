from petstore_fixture import petstore  # noqa: F401
