# Give a digest to get the same base every time: --build-arg BASE=python:3.13-slim@sha256:…
ARG BASE=python:3.13-slim

FROM ${BASE} AS build

# PyTorch's own index of CPU builds, or a mirror of it; from an ordinary index torch comes without the libraries for
# graphics cards that it needs there, and the build ends where it is loaded.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
# The hash of the one torch file that fits; without it torch is held to its version and to its index.
ARG TORCH_SHA256=

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/gradwalk
ENV PATH=/opt/gradwalk/bin:$PATH

WORKDIR /build
COPY constraints.txt locks/run.txt ./
# torch alone and first: its layer stays cached while the project changes. Its headers, tools and C++ tests go:
# nothing here compiles, and they are 190 MB; only torch_shm_manager is looked for when torch is imported.
RUN grep '^torch==' constraints.txt | sed "s/\$/${TORCH_SHA256:+ --hash=sha256:$TORCH_SHA256}/" > torch.txt \
    && pip install --no-deps --no-compile --index-url "$TORCH_INDEX" -r torch.txt \
    && cd /opt/gradwalk/lib/python3*/site-packages/torch \
    && rm -rf include test && find bin -type f ! -name torch_shm_manager -delete
RUN pip install --no-deps --no-compile --require-hashes -r run.txt
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY gradwalk gradwalk
COPY app app
COPY backend backend
COPY static static
COPY templates templates
# What built the project goes, and so do the libraries' own tests and Plotly's part for notebooks; what a start loads is
# compiled here: nothing can be kept on a read-only root.
RUN pip install --no-deps --no-compile --no-build-isolation . \
    && pip uninstall --yes --quiet editables hatchling pathspec pluggy tomlkit trove-classifiers pip \
    && find /opt/gradwalk/lib -type d \( -name tests -o -path '*/plotly/labextension' \) -prune -exec rm -r {} + \
    && python -P -m gradwalk.app.compiling

FROM ${BASE}

RUN useradd --create-home --uid 10001 gradwalk
COPY --from=build /opt/gradwalk /opt/gradwalk
ENV PATH=/opt/gradwalk/bin:$PATH PYTHONUNBUFFERED=1
USER gradwalk
WORKDIR /home/gradwalk
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
# Pages are asked for as localhost:8000; set GRADWALK_ALLOWED_HOSTS to serve under another name.
CMD ["python", "-m", "gradwalk", "--host", "0.0.0.0", "--port", "8000", "--no-browser"]
