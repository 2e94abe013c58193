"""An S3 service on loopback: moto's."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

from conftest import only_among_peers


@contextlib.contextmanager
def s3_server(*buckets: str) -> Iterator[str]:
    """Its address; the buckets are new and empty. It believes every signature."""
    only_among_peers()
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        address = f"http://{host}:{port}"
        urlopen(Request(f"{address}/moto-api/reset", method="POST")).close()  # one for the process
        for bucket in buckets:
            connect(address).create_bucket(Bucket=bucket)
        yield address
    finally:
        server.stop()


def connect(address: str) -> Any:
    import boto3

    keys = {"aws_access_key_id": "id", "aws_secret_access_key": "secret"}
    return boto3.resource("s3", region_name="us-east-1", endpoint_url=address, **keys)
