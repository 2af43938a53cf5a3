# One image for all programs of the service; compose.yaml says which one a container runs.

FROM python:3.13.16-slim-trixie AS build
WORKDIR /source
RUN python -m venv /venv
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY engine engine
COPY service service
COPY workers workers
RUN /venv/bin/pip install --constraint constraints.txt .

FROM python:3.13.16-slim-trixie
RUN groupadd --system --gid 10001 overland && useradd --system --uid 10001 --gid 10001 --home-dir /data --shell /usr/sbin/nologin overland && install -d -o overland -g overland -m 0750 /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OVERLAND_MODE=production \
    OVERLAND_DATA_DIR=/data \
    OVERLAND_HOST=0.0.0.0 \
    OVERLAND_PORT=8000
# By its number, so that an orchestrator sees that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
# For the API; compose.yaml has another for the workers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["overland", "api"]
