"""Routes of Go routers, through groups, closures, packages and functions that return a router."""

from codeworld import find

CHI = {
    "go.mod": "module example.com/shop\n",
    "cmd/api/main.go": """
        package main

        import (
            "net/http"

            "github.com/go-chi/chi/v5"

            "example.com/shop/internal/admin"
            "example.com/shop/internal/users"
        )

        func main() {
            r := chi.NewRouter()
            // r.Get("/commented", old)
            r.Get("/health", health)
            log.Println(`r.Get("/quoted", h)`)
            r.Route("/api", func(r chi.Router) {
                r.Use(auth)
                r.Route("/v1", func(v1 chi.Router) {
                    users.Register(v1)
                    v1.With(limit).Post("/orders", create)
                })
                r.Group(func(r chi.Router) {
                    r.Get("/me", me)
                })
                r.Mount("/admin", admin.NewHandler(db).Routes())
            })
            client.Get("/elsewhere", nil)
        }
    """,
    "internal/users/users.go": """
        package users

        import "github.com/go-chi/chi/v5"

        const base = "/users"

        func Register(r chi.Router) {
            r.Get(base+"/{id}", get)
            r.Method("PUT", base, put)
            r.Get("/", list)
        }
    """,
    "internal/users/users_test.go": """
        package users

        func TestRoutes(t *testing.T) {
            r := chi.NewRouter()
            r.Get("/in-a-test", nil)
        }
    """,
    "internal/admin/admin.go": """
        package admin

        import "github.com/go-chi/chi/v5"

        func (h *Handler) Routes() http.Handler {
            r := chi.NewRouter()
            r.Get("/stats", h.stats)
            return r
        }
    """,
}


def test_chi(tmp_path):
    assert find(tmp_path, CHI, "route") == {
        "GET /health cmd/api/main.go:15",
        "POST /api/v1/orders cmd/api/main.go:21",
        "GET /api/me cmd/api/main.go:24",
        "GET /api/v1/users/{id} internal/users/users.go:8",
        "PUT /api/v1/users internal/users/users.go:9",
        "GET /api/v1 internal/users/users.go:10",
        "GET /api/admin/stats internal/admin/admin.go:7",
    }


def test_gin_echo_and_fiber(tmp_path):
    files = {
        "go.mod": "module example.com/m\n",
        "gin/main.go": """
            package main

            import "github.com/gin-gonic/gin"

            type server struct {
                router *gin.Engine
            }

            func (s *server) routes() {
                api := s.router.Group("/api")
                v1 := api.Group("/v1", auth())
                {
                    v1.GET("/users/:id", s.user)
                    v1.Any("/any", s.any)
                }
                s.users.Mount(v1.Group("/items"))
                s.router.Handle(http.MethodPost, "/hook", s.hook)
            }
        """,
        "gin/items.go": """
            package main

            import "github.com/gin-gonic/gin"

            func (h *items) Mount(rg *gin.RouterGroup) {
                rg.DELETE("/:id", h.remove)
            }

            func (h *lost) Unused(rg *gin.RouterGroup) {
                rg.GET("/never-mounted", h.x)
            }
        """,
        "echo/main.go": """
            package main

            import "github.com/labstack/echo/v4"

            func main() {
                e := echo.New()
                g := e.Group("/v2")
                g.PUT("/x", put)
                e.Add("PATCH", "/y", patch)
            }
        """,
        "fiber/main.go": """
            package main

            import "github.com/gofiber/fiber/v2"

            func main() {
                app := fiber.New()
                app.Get("/", home)
                books := app.Group("/books")
                books.Post("/", create)
            }
        """,
    }

    assert find(tmp_path, files, "route") == {
        "GET /api/v1/users/:id gin/main.go:13",
        "ANY /api/v1/any gin/main.go:14",
        "DELETE /api/v1/items/:id gin/items.go:6",
        "POST /hook gin/main.go:17",
        "PUT /v2/x echo/main.go:8",
        "PATCH /y echo/main.go:9",
        "GET / fiber/main.go:7",
        "POST /books/ fiber/main.go:9",
    }


def test_gorilla_and_the_standard_library(tmp_path):
    files = {
        "go.mod": "module example.com/m\n",
        "gorilla.go": """
            package main

            import "github.com/gorilla/mux"

            func routes() *mux.Router {
                r := mux.NewRouter()
                api := r.PathPrefix("/api").Subrouter()
                api.HandleFunc("/users", list).Methods("GET", http.MethodPost)
                api.Path("/one").Methods("DELETE").HandlerFunc(one)
                r.Handle("/any", h)
                return r
            }
        """,
        "std.go": """
            package main

            import "net/http"

            func serve() {
                mux := http.NewServeMux()
                mux.HandleFunc("GET /items/{id}", item)
                mux.HandleFunc("/all/", all)
                sub := http.NewServeMux()
                sub.HandleFunc("POST /pay", pay)
                mux.Handle("/v1/", http.StripPrefix("/v1", sub))
                http.HandleFunc("/plain", plain)
            }
        """,
    }

    assert find(tmp_path, files, "route") == {
        "GET /api/users gorilla.go:8",
        "POST /api/users gorilla.go:8",
        "DELETE /api/one gorilla.go:9",
        "ANY /any gorilla.go:10",
        "GET /items/{id} std.go:7",
        "ANY /all/ std.go:8",
        "POST /v1/pay std.go:10",
        "ANY /plain std.go:12",
    }


def test_methods_of_one_name_are_told_apart_by_the_type_of_what_has_them(tmp_path):
    files = {
        "go.mod": "module e.org/m\n",
        "server.go": """
            package server

            import (
                "example.org/unknown"

                "e.org/m/auth"
                posts "e.org/m/post"
            )

            type Options struct {
                Auth auth.Handler
                Posts *posts.Handler
            }

            func New(options Options) {
                router := unknown.New()
                router.GET("/healthz", health)
                options.Auth.Register(router.Group("/auth"))
                authed := router.Group("/authed")
                options.Posts.Register(authed.Group("/posts"))
                options.Other.Register(authed)
            }
        """,
        "auth/auth.go": """
            package auth

            func (h Handler) Register(router *unknown.Router) {
                router.POST("/login", h.login)
            }
        """,
        "post/post.go": """
            package post

            func (h *Handler) Register(router *unknown.Router) {
                router.GET("/", h.list)
            }
        """,
    }

    assert find(tmp_path, files, "route") == {
        "GET /healthz server.go:17",
        "POST /auth/login auth/auth.go:4",
        "GET /authed/posts/ post/post.go:4",
    }
