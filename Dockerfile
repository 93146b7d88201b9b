FROM python:3.13-slim AS build

# PyTorch's own index of CPU builds; the ordinary index would bring several GB for graphics cards.
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu

ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/gradwalk
ENV PATH=/opt/gradwalk/bin:$PATH

WORKDIR /build
COPY constraints.txt ./
# torch alone and first: its layer stays cached while the project changes
RUN pip install --no-deps -c constraints.txt --index-url "$TORCH_INDEX" torch
COPY pyproject.toml README.md LICENSE ./
COPY app app
COPY backend backend
COPY static static
COPY templates templates
RUN pip install -c constraints.txt . && python -m compileall -q /opt/gradwalk/lib

FROM python:3.13-slim

RUN useradd --system --create-home --uid 10001 gradwalk
COPY --from=build /opt/gradwalk /opt/gradwalk
ENV PATH=/opt/gradwalk/bin:$PATH PYTHONUNBUFFERED=1
USER gradwalk
WORKDIR /home/gradwalk
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
# Pages are asked for as localhost:8000; set GRADWALK_ALLOWED_HOSTS to serve under another name.
CMD ["python", "-m", "app", "--host", "0.0.0.0", "--port", "8000", "--no-browser"]
