"""Routes of Python web frameworks, prefixes resolved across files; what only looks like a route is none."""

import pytest
from codeworld import find

FASTAPI = {
    "app/__init__.py": "",
    "app/main.py": '''
        """An app.

        @app.get("/in-docs")
        """
        from fastapi import FastAPI
        from app.config import settings
        from app.routes import admin_router, items, users as people

        app = FastAPI()
        # app.include_router(old.router, prefix="/old")
        app.include_router(people.router, prefix=settings.API_PREFIX)
        for router in (items.router, admin_router):
            app.include_router(router, prefix="/api")

        @app.get("/health")
        async def health(): ...

        EXAMPLE = """
        @app.get("/in-a-string")
        """
    ''',
    "app/config.py": '''
        class Settings:
            API_PREFIX: str = "/api/v1"

        settings = Settings()
    ''',
    "app/routes/__init__.py": "from .admin import admin_router\n",
    "app/routes/users.py": '''
        from fastapi import APIRouter

        router = APIRouter(prefix="/users")

        @router.get("")
        def list_users(): ...

        # @router.delete("/{id}")
        @router.put(
            "/{id}",
            status_code=204,
        )
        @audited
        def update(id): ...

        @router.websocket("/live")
        async def live(ws): ...

        @client.get("/elsewhere")
        def no_route(): ...
    ''',
    "app/routes/items.py": '''
        from fastapi import APIRouter

        router = APIRouter()
        BASE = "/items"

        @router.api_route(f"{BASE}/all", methods=["GET", "POST"])
        def both(): ...

        router.add_api_route(BASE + "/one", both, methods=["DELETE"])
    ''',
    "app/routes/admin.py": '''
        from fastapi import APIRouter
        from . import admin_users

        admin_router = APIRouter(prefix="/admin")
        admin_router.include_router(admin_users.router, prefix="/users")
    ''',
    "app/routes/admin_users.py": '''
        from fastapi import APIRouter
        router = APIRouter()

        @router.get("/{id}")
        def one(id): ...
    ''',
    "app/routes/dead.py": '''
        from fastapi import APIRouter
        router = APIRouter(prefix="/dead")

        @router.get("/never-mounted")
        def dead(): ...
    ''',
    "tests/test_app.py": '''
        from fastapi import FastAPI
        app = FastAPI()

        @app.get("/only-in-a-test")
        def x(): ...
    ''',
    "tests/fixtures/app.py": '''
        from fastapi import FastAPI
        app = FastAPI()

        @app.get("/only-in-a-fixture")
        def x(): ...
    ''',
}  # fmt: skip


def test_fastapi(tmp_path):
    assert find(tmp_path, FASTAPI, "route") == {
        "GET /health app/main.py:15",
        "GET /api/v1/users app/routes/users.py:5",
        "PUT /api/v1/users/{id} app/routes/users.py:9",
        "WEBSOCKET /api/v1/users/live app/routes/users.py:16",
        "GET /api/items/all app/routes/items.py:6",
        "POST /api/items/all app/routes/items.py:6",
        "DELETE /api/items/one app/routes/items.py:9",
        "GET /api/admin/users/{id} app/routes/admin_users.py:4",
    }


def test_only_the_routes_of_the_folder_with_what_mounts_them_outside(tmp_path):
    assert find(tmp_path, FASTAPI, "route", "app/routes") == {
        row for row in find(tmp_path, FASTAPI, "route") if "app/routes/" in row
    }


def test_flask(tmp_path):
    files = {
        "shop/__init__.py": '''
            from flask import Flask
            from shop.views import bp, parent
            from shop.items import ItemView

            def create_app():
                app = Flask(__name__)
                app.register_blueprint(bp)
                app.register_blueprint(parent, url_prefix="/v2")
                app.add_url_rule("/items/<int:id>", view_func=ItemView.as_view("item"), methods=["GET", "DELETE"])
                return app
        ''',
        "shop/views.py": '''
            from flask import Blueprint

            bp = Blueprint("users", __name__, url_prefix="/users")
            parent = Blueprint("parent", __name__, url_prefix="/v1")
            child = Blueprint("child", __name__, url_prefix="/child")
            parent.register_blueprint(child)

            @bp.route("/<name>", methods=["GET", "POST"])
            @login_required
            def user(name): ...

            @child.get("/x")
            def x(): ...

            @child.route("/thing")
            class Thing(MethodView):
                def get(self): ...
                def post(self): ...
        ''',
        "shop/items.py": "class ItemView: ...\n",
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {
        "GET /items/<int:id> shop/__init__.py:9",
        "DELETE /items/<int:id> shop/__init__.py:9",
        "GET /users/<name> shop/views.py:8",
        "POST /users/<name> shop/views.py:8",
        "GET /v2/child/x shop/views.py:12",
        "GET /v2/child/thing shop/views.py:17",
        "POST /v2/child/thing shop/views.py:18",
    }


def test_starlette_and_aiohttp(tmp_path):
    files = {
        "star.py": '''
            from starlette.applications import Starlette
            from starlette.routing import Mount, Route, WebSocketRoute

            app = Starlette(routes=[
                Route("/", home),
                Mount("/users", routes=[
                    Route("/{id}", user, methods=["GET", "PUT"]),
                ]),
                WebSocketRoute("/ws", ws),
            ])
        ''',
        "aio.py": '''
            from aiohttp import web

            routes = web.RouteTableDef()

            @routes.get("/hello")
            async def hello(request): ...

            app = web.Application()
            app.router.add_post("/added", hello)
            app.add_routes([web.put("/listed", hello)])
        ''',
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {
        "GET / star.py:5",
        "GET /users/{id} star.py:7",
        "PUT /users/{id} star.py:7",
        "WEBSOCKET /ws star.py:9",
        "GET /hello aio.py:5",
        "POST /added aio.py:9",
        "PUT /listed aio.py:10",
    }


def test_django(tmp_path):
    files = {
        "site/settings.py": 'ROOT_URLCONF = "site.urls"\n',
        "site/urls.py": '''
            from django.contrib import admin
            from django.urls import include, path, re_path
            from rest_framework.routers import DefaultRouter
            from shop.views import OrderViewSet

            router = DefaultRouter()
            router.register(r"orders", OrderViewSet)

            urlpatterns = [
                path("admin/", admin.site.urls),
                path("shop/", include("shop.urls")),
                path("api/", include(router.urls)),
                # path("old/", old),
            ]
        ''',
        "shop/urls.py": '''
            from django.urls import path, re_path
            from . import views

            urlpatterns = [
                path("", views.home),
                path("pay/", views.pay),
                path("items/", views.ItemList.as_view()),
                re_path(r"^year/(?P<year>[0-9]{4})/$", views.year),
            ]
        ''',
        "shop/views.py": '''
            def home(request): ...

            @require_POST
            def pay(request): ...

            class ItemList(APIView):
                def get(self, request): ...
                def post(self, request): ...

            @api_view(["GET"])
            def year(request, year): ...

            class OrderViewSet(ReadOnlyModelViewSet): ...
        ''',
        "lost/urls.py": 'from django.urls import path\nurlpatterns = [path("lost/", x)]\n',
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {
        "ANY /shop/ shop/urls.py:5",
        "POST /shop/pay/ shop/urls.py:6",
        "GET /shop/items/ shop/urls.py:7",
        "POST /shop/items/ shop/urls.py:7",
        "GET /shop/year/<year>/ shop/urls.py:8",
        "GET /api/orders/ site/urls.py:7",
        "GET /api/orders/{pk}/ site/urls.py:7",
    }


@pytest.mark.parametrize(
    "text", ["@app.get(", "app = FastAPI(\n", "\0", "x = " + "(" * 300, "urlpatterns = [path(include("]
)
def test_broken_python_has_no_routes(tmp_path, text):
    assert find(tmp_path, {"app.py": "from fastapi import FastAPI\n" + text}, "route") == set()
