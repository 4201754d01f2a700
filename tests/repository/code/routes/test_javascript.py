"""Routes of Node frameworks, Next.js and NestJS; what only looks like a route is none."""

from codeworld import find


def test_express(tmp_path):
    files = {
        "src/server.js": '''
            const express = require('express');
            const users = require('./routes/users');
            import { admin as adminRouter } from './routes';
            const registerOrders = require('./routes/orders');

            const app = express();
            const prefix = '/api';
            // app.get('/commented', handler);
            /* app.get('/also-commented', handler); */
            app.use(`${prefix}/users`, auth, users);
            app.use('/admin', adminRouter);
            registerOrders(app);
            app.get(['/health', '/ready'], (req, res) => res.send("app.get('/quoted', h)"));
            app.route('/books').get(list).post(auth, create);
            app.get('view engine');
            axios.get('/elsewhere', options);
            request(app).get('/in-a-request', done);
        ''',
        "src/routes/index.ts": "export { router as admin } from './admin';\n",
        "src/routes/admin.ts": '''
            import { Router } from 'express';
            export const router = Router();
            router.delete('/users/:id', remove);
            const nested = Router();
            router.use('/nested', nested);
            nested.all('/', all);
        ''',
        "src/routes/users.js": '''
            const { Router } = require('express');
            const router = Router();
            router.get('/', list)
            router.post(
              '/:id/avatar',
              validate({ path: '/not-a-route' }),
              async (req, res) => {},
            );
            module.exports = router;
        ''',
        "src/routes/orders.js": '''
            module.exports = (app) => {
              app.get('/orders', (req, res) => {});
            };
        ''',
        "src/routes/dead.js": '''
            const router = require('express').Router();
            router.get('/never-mounted', handler);
            module.exports = router;
        ''',
        "src/server.test.js": "const app = express();\napp.get('/in-a-test', h);\n",
        "docs/example.js": "const app = express();\napp.get('/in-docs', h);\n",
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {
        "GET /health src/server.js:13",
        "GET /ready src/server.js:13",
        "GET /books src/server.js:14",
        "POST /books src/server.js:14",
        "DELETE /admin/users/:id src/routes/admin.ts:3",
        "ANY /admin/nested src/routes/admin.ts:6",
        "GET /api/users src/routes/users.js:3",
        "POST /api/users/:id/avatar src/routes/users.js:4",
        "GET /orders src/routes/orders.js:2",
    }


def test_express_in_classes(tmp_path):
    files = {
        "src/app.ts": '''
            import express, { Application } from 'express';
            import { UserRoutes } from './user.routes';

            export class App {
              public app: Application;
              constructor() {
                this.app = express();
                this.app.use('/users', new UserRoutes().router);
              }
            }
        ''',
        "src/user.routes.ts": '''
            import { Router } from 'express';

            export class UserRoutes {
              public path = '/list';
              public router: Router = Router();
              constructor() {
                this.router.get(`${this.path}/:id`, this.one);
              }
            }
        ''',
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {"GET /users/list/:id src/user.routes.ts:7"}


def test_fastify_and_hono(tmp_path):
    files = {
        "fast/app.ts": '''
            import Fastify from 'fastify';
            import users from './users';

            const server = Fastify({ logger: true });
            server.register(users, { prefix: '/users' });
            server.register(async (instance: FastifyInstance) => {
              instance.get('/inside', handler);
            }, { prefix: '/group' });
            server.route({ method: ['GET', 'HEAD'], url: '/table', handler });
        ''',
        "fast/users.ts": '''
            import { FastifyPluginAsync } from 'fastify';

            const users: FastifyPluginAsync = async (fastify, opts) => {
              fastify.get<{ Params: Id }>('/:id', { schema }, async (request) => {});
            };
            export default users;
        ''',
        "hono/index.ts": '''
            import { Hono } from 'hono';
            import { books } from './books';

            const app = new Hono<Env>().basePath('/api');
            app.route('/books', books);
            app.on('PURGE', '/cache', purge);
            export default app;
        ''',
        "hono/books.ts": '''
            import { Hono } from 'hono';

            export const books = new Hono()
              .get('/', (c) => c.json([]))
              .post('/', create);
        ''',
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {
        "GET /users/:id fast/users.ts:4",
        "GET /group/inside fast/app.ts:7",
        "GET /table fast/app.ts:9",
        "HEAD /table fast/app.ts:9",
        "PURGE /api/cache hono/index.ts:6",
        "GET /api/books hono/books.ts:4",
        "POST /api/books hono/books.ts:5",
    }


def test_nest(tmp_path):
    files = {
        "src/main.ts": "app.setGlobalPrefix('api');\napp.enableVersioning({ type: VersioningType.URI });\n",
        "src/users.controller.ts": '''
            import { Controller, Get, Post } from '@nestjs/common';

            @ApiTags('users')
            @Controller('users')
            export class UsersController {
              constructor(private readonly users: UsersService) {}

              @Get()
              list() {}

              // @Delete(':id')
              @Post(':id/lock')
              @HttpCode(204)
              lock(@Param('id') id: string) {}
            }
        ''',
        "src/v2.controller.ts": '''
            @Controller({ path: 'things', version: '2' })
            export class ThingsController {
              @Get(['a', 'b'])
              both() {}
            }
        ''',
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {
        "GET /api/users src/users.controller.ts:8",
        "POST /api/users/:id/lock src/users.controller.ts:12",
        "GET /api/v2/things/a src/v2.controller.ts:3",
        "GET /api/v2/things/b src/v2.controller.ts:3",
    }


def test_next(tmp_path):
    files = {
        "src/app/(shop)/api/items/[id]/route.ts": '''
            import { handler } from '@/lib/handler';

            // export async function DELETE() {}
            export async function GET(request: Request) {}
            export const PATCH = handler(async () => {});
            export { update as PUT };
            export const dynamic = 'force-dynamic';
        ''',
        "src/app/api/auth/[...nextauth]/route.ts": "const h = NextAuth({});\\nexport { h as GET, h as POST };\n".replace("\\n", "\n"),
        "src/app/_private/route.ts": "export async function GET() {}\n",
        "src/app/about/page.tsx": "export default function About() {\n  return <p>GET /about</p>;\n}\n",
        "pages/api/users/index.ts": '''
            export default async function handler(req, res) {
              if (req.method === 'GET') {
                return res.json([]);
              }
              switch (req.method) {
                case 'POST':
                  return res.status(201).end();
              }
            }
        ''',
        "pages/api/ping.ts": "export default (req, res) => res.end();\n",
        "pages/api/only.ts": "export default function h(req, res) {\n  if (req.method !== 'PUT') return res.status(405).end();\n}\n",
    }  # fmt: skip

    assert find(tmp_path, files, "route") == {
        "GET /api/items/[id] src/app/(shop)/api/items/[id]/route.ts:4",
        "PATCH /api/items/[id] src/app/(shop)/api/items/[id]/route.ts:5",
        "PUT /api/items/[id] src/app/(shop)/api/items/[id]/route.ts:6",
        "GET /api/auth/[...nextauth] src/app/api/auth/[...nextauth]/route.ts:2",
        "POST /api/auth/[...nextauth] src/app/api/auth/[...nextauth]/route.ts:2",
        "GET /api/users pages/api/users/index.ts:2",
        "POST /api/users pages/api/users/index.ts:6",
        "ANY /api/ping pages/api/ping.ts:1",
        "PUT /api/only pages/api/only.ts:2",
    }
