"""Which command lines check something, what their exit says, and what makes up for a failure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belay.client import checks, tool_results
from belay.client.checks import Check

# command → "runner kind", with "+" for the form that repairs, "@folder" and the scope after ":".
CHECKS = """
pytest → pytest test
pytest -q → pytest test
pytest -x -vv --tb=short → pytest test
pytest tests/unit → pytest test : tests/unit
pytest tests/test_cart.py::test_total -s → pytest test : tests/test_cart.py::test_total
pytest tests/a.py tests/b.py -n 4 → pytest test : tests/a.py tests/b.py
pytest -k "refund and not slow" → pytest test : -k refund and not slow
pytest -m slow tests → pytest test : tests | -m slow
pytest --lf → pytest test : --lf
pytest --maxfail 1 -p no:cacheprovider → pytest test
pytest --cov=shop --cov-report term → pytest test
py.test -q → pytest test
python -m pytest -q → pytest test
python3 -m pytest tests/test_api.py → pytest test : tests/test_api.py
python3.12 -W error -m pytest → pytest test
.venv/bin/pytest -q → pytest test
.venv/bin/python -m pytest → pytest test
uv run pytest → pytest test
uv run --extra dev --with hypothesis pytest -q tests → pytest test : tests
uv run --directory services/api pytest → pytest test @services/api
uv run -m pytest tests/x.py → pytest test : tests/x.py
uvx ruff check . → ruff check lint
poetry run pytest tests/unit → pytest test : tests/unit
pipenv run pytest → pytest test
pdm run pytest -q → pytest test
pdm run test → pdm test test
hatch run test → hatch test test
hatch run lint:style → hatch style none
hatch test → hatch test test
pixi run pytest → pytest test
conda run -n shop pytest → pytest test
coverage run -m pytest → pytest test
coverage run --source shop -m unittest discover → unittest test : discover
python -m unittest → unittest test
python -m unittest tests.test_cart -v → unittest test : tests.test_cart
python manage.py test shop → manage.py test test : shop
python manage.py check → manage.py check lint
./manage.py test → manage.py test test
tox → tox test
tox -e py312 → tox test : -e py312
nox -s tests → nox test : -s tests
ruff check → ruff check lint
ruff check . --fix → ruff check lint +
ruff check --select E501 src → ruff check lint : src | --select E501
ruff format → ruff format format +
ruff format --check . → ruff format format
black . → black format +
black --check src tests → black format : src tests
isort . --check-only → isort format
isort src → isort format + : src
flake8 src → flake8 lint : src
pylint shop → pylint lint : shop
mypy → mypy types
mypy --strict src/shop → mypy types : src/shop
mypy -p shop → mypy types : -p shop
dmypy run -- src → mypy types : src
pyright → pyright types
basedpyright src → pyright types : src
pre-commit run --all-files → pre-commit lint
pre-commit run ruff → pre-commit lint : ruff
npm test → npm test test
npm t → npm test test
npm run test → npm test test
npm run test -- --silent → npm test test
npm test -- --coverage=false → npm test test
npm test -- src/cart.test.ts → npm test test : src/cart.test.ts
npm test -- -t "adds tax" → npm test test : -t adds tax
npm run test:unit → npm test:unit test
npm run lint → npm lint lint
npm run lint -- --fix → npm lint lint +
npm run lint:fix → npm lint:fix lint +
npm run typecheck → npm typecheck types
npm run type-check → npm type-check types
npm run build → npm build build
npm run build:client → npm build:client build
npm run format → npm format format +
npm run format:check → npm format:check format
npm run check → npm check test
npm --prefix web test → npm test test @web
npm test --prefix web → npm test test @web
npm test -w packages/core → npm test test @packages/core
npm run lint --workspace=web → npm lint lint @web
npm run test --silent → npm test test
pnpm test → npm test test
pnpm run test → npm test test
pnpm lint → npm lint lint
pnpm --filter web test → npm test test @web
pnpm --filter @shop/web build → npm build build @web
pnpm -F api lint → npm lint lint @api
pnpm -C apps/web typecheck → npm typecheck types @apps/web
pnpm -r test → npm test test
pnpm -w test → npm test test
pnpm build → npm build build
pnpm exec vitest run → vitest test
pnpm vitest run src/cart.test.ts → vitest test : src/cart.test.ts
pnpm tsc --noEmit → tsc types
pnpm --filter web exec tsc --noEmit → tsc types @web
pnpm dlx eslint . → eslint lint
yarn test → npm test test
yarn lint → npm lint lint
yarn run build → npm build build
yarn jest src → jest test : src
yarn workspace web test → npm test test @web
yarn --cwd web lint → npm lint lint @web
yarn workspaces foreach -A run test → npm test test
yarn tsc -p tsconfig.json → tsc types : -p tsconfig.json
bun test → bun test test
bun test src/cart.test.ts → bun test test : src/cart.test.ts
bun run lint → npm lint lint
bun run test → npm test test
bun lint → npm lint lint
bunx tsc --noEmit → tsc types
npx jest → jest test
npx jest src/cart.test.ts --no-coverage → jest test : src/cart.test.ts
npx jest -t "adds tax" → jest test : -t adds tax
npx jest --testPathPattern=cart → jest test : --testPathPattern cart
npx jest --runInBand --verbose → jest test
npx --no-install jest → jest test
npx -y vitest@2 run → vitest test
vitest --run → vitest test
npx vitest run --coverage → vitest test
npx mocha --grep refund → mocha test : --grep refund
npx playwright test e2e/login.spec.ts → playwright test test : e2e/login.spec.ts
npx playwright test --project chromium → playwright test test : --project chromium
npx cypress run --spec cypress/e2e/a.cy.ts → cypress run test : --spec cypress/e2e/a.cy.ts
npx tsc --noEmit → tsc types
npx tsc → tsc types
npx tsc -p apps/web/tsconfig.json --noEmit → tsc types : -p apps/web/tsconfig.json
npx vue-tsc --noEmit → vue-tsc types
npx svelte-check → svelte-check types
npx eslint . → eslint lint
npx eslint src --ext .ts,.tsx → eslint lint : src
npx eslint --fix src/cart.ts → eslint lint + : src/cart.ts
npx prettier --check . → prettier format
npx prettier --write src → prettier format + : src
npx @biomejs/biome check . → biome check lint
npx biome check --write src → biome check lint + : src
npx biome format . → biome format format
npx stylelint "**/*.css" → stylelint lint : **/*.css
npx markdownlint README.md → markdownlint lint : README.md
npx markdownlint-cli2 docs → markdownlint lint : docs
npx next build → next build build
npx next lint → next lint lint
npx vite build → vite build build
npx astro check → astro check types
npx webpack --mode production → webpack build
npx turbo run lint → turbo lint lint
npx turbo run test --filter=web → turbo test test @web
turbo build → turbo build build
npx nx test web → nx test test @web
npx nx run web:lint → nx lint lint @web
npx nx run-many -t test → nx test test
npx nx affected --target=build → nx build build
node --test → node --test test
node --test test/cart.test.js → node --test test : test/cart.test.js
node --check server.js → node --check lint : server.js
node node_modules/.bin/jest src → jest test : src
node --experimental-vm-modules node_modules/jest/bin/jest.js → jest test
./node_modules/.bin/tsc --noEmit → tsc types
deno test → deno test test
deno task test → deno test test
deno lint → deno lint lint
deno fmt --check → deno fmt format
go test ./... → go test test
go test → go test test : .
go test . → go test test : .
go test ./internal/cart → go test test : internal/cart
go test ./internal/... -count=1 -race → go test test : internal/...
go test ./... -run TestTotal → go test test : -run TestTotal
go test -run "TestA|TestB" ./cart -v → go test test : cart | -run TestA|TestB
go test -timeout 90s -tags integration ./... → go test test
go test -short ./... → go test test : -short
go -C tools test ./... → go test test @tools
gotestsum -- ./... → go test test
go vet ./... → go vet lint
go build ./... → go build build
go build -o bin/shop ./cmd/shop → go build build : cmd/shop
go fmt ./... → go fmt format +
gofmt -w . → gofmt format +
golangci-lint run → golangci-lint run lint
golangci-lint run ./... --timeout 5m → golangci-lint run lint
golangci-lint run --fix → golangci-lint run lint +
golangci-lint run ./cart/... → golangci-lint run lint : cart/...
staticcheck ./... → staticcheck lint
go run github.com/golangci/golangci-lint/cmd/golangci-lint@v1.60 run → golangci-lint run lint
go tool staticcheck ./... → staticcheck lint
cargo test → cargo test test
cargo t → cargo test test
cargo test cart::total → cargo test test : cart::total
cargo test -p shop-core → cargo test test : -p shop-core
cargo test --lib -- --nocapture → cargo test test : --lib
cargo +nightly test --all-features → cargo test test
cargo nextest run → cargo test test
cargo check → cargo check build
cargo build --release → cargo build build
cargo clippy --all-targets -- -D warnings → cargo clippy lint
cargo clippy --fix → cargo clippy lint +
cargo fmt → cargo fmt format +
cargo fmt --all -- --check → cargo fmt format
cargo test --manifest-path core/Cargo.toml → cargo test test
mvn test → mvn test test
mvn -q test -Dtest=CartTest → mvn test test : -Dtest=CartTest
mvn -B verify → mvn verify test
./mvnw compile → mvn compile build
mvn clean → none
./gradlew test → gradle test test
./gradlew :app:testDebugUnitTest → gradle testDebugUnitTest test @app
gradle build -x test → gradle build build
./gradlew ktlintCheck → gradle ktlintCheck lint
./gradlew spotlessApply → gradle spotlessApply format +
./gradlew test --tests "shop.CartTest" → gradle test test : --tests shop.CartTest
dotnet test → dotnet test test
dotnet test --filter Name~Cart --no-build → dotnet test test : --filter Name~Cart
dotnet build -c Release → dotnet build build
dotnet format --verify-no-changes → dotnet format format
bundle exec rspec → rspec test
bundle exec rspec spec/cart_spec.rb:12 → rspec test : spec/cart_spec.rb:12
rspec -e "adds tax" → rspec test : -e adds tax
bundle exec rake test → rake test test
rake spec → rake spec test
bin/rails test → rails test test
rails test test/models → rails test test : test/models
bundle exec rubocop → rubocop lint
bundle exec rubocop -A → rubocop lint +
vendor/bin/phpunit → phpunit test
./vendor/bin/phpunit --filter testTotal → phpunit test : --filter testTotal
php vendor/bin/phpunit tests/Unit → phpunit test : tests/Unit
php artisan test → artisan test test
php bin/phpunit tests → phpunit test : tests
pnpm turbo run build --filter=@shop/web → turbo build build @web
yarn nx test web → nx test test @web
pnpm exec turbo test → turbo test test
npm run check:all → npm check:all test
make ci → make ci test
make all → make all build
npm run test:integration → npm test:integration test
npm run unit → npm unit test
./gradlew :app:compileDebugKotlin → gradle compileDebugKotlin build @app
xcodebuild -project Shop.xcodeproj -scheme Shop clean build → xcodebuild build build : -scheme Shop
poetry run python manage.py test shop → manage.py test test : shop
composer test → composer test test
composer run lint → composer lint lint
vendor/bin/phpstan analyse src --level 8 → phpstan types : src
vendor/bin/psalm → psalm types
vendor/bin/pint --test → pint format
php -l src/cart.php → php -l lint : src/cart.php
ctest → ctest test
ctest --test-dir build -R cart → ctest test : --test-dir build | -R cart
cmake --build build → cmake --build build : build
ninja -C build → ninja build : -C build
make → make build
make -j8 → make build
make test → make test test
make -C core check → make check test @core
make lint CONFIG=ci.yml → make lint lint
make fmt-check → make fmt-check format
make fmt → make fmt format +
just test → just test test
just lint --fix → just lint lint
task lint → task lint lint
mise run lint → mise lint lint
mise run lint:gofmt → mise lint:gofmt lint
mise r test → mise test test
mise test → mise test test
mise run fmt → mise fmt format +
mise run test:ci → mise test:ci test
mise run test ./internal/cart/... → mise test test : internal/cart/...
mise exec node@20 -- npm test → npm test test
poe test → poe test test
invoke lint → invoke lint lint
inv test → invoke test test
swift test --filter CartTests → swift test test : --filter CartTests
swift build → swift build build
xcodebuild -scheme Shop -destination "platform=iOS Simulator,name=iPhone 15" test → xcodebuild test test : -scheme Shop
mix test → mix test test
mix test test/cart_test.exs:12 → mix test test : test/cart_test.exs:12
mix format → mix format format +
mix format --check-formatted → mix format format
mix credo --strict → mix credo lint
mix dialyzer → mix dialyzer types
dart analyze → dart analyze lint
dart test → dart test test
flutter test → flutter test test
flutter analyze lib → flutter analyze lint : lib
shellcheck scripts/*.sh → shellcheck lint : scripts/*.sh
shfmt -d . → shfmt format
shfmt -w scripts → shfmt format + : scripts
hadolint Dockerfile → hadolint lint : Dockerfile
actionlint → actionlint lint
yamllint . → yamllint lint
terraform validate → terraform validate lint
terraform -chdir=infra validate → terraform validate lint @infra
terraform fmt -check → terraform fmt format
terraform fmt → terraform fmt format +
helm lint charts/shop → helm lint lint : charts/shop
bash -n install.sh → bash -n lint : install.sh
./scripts/test.sh → scripts/test.sh test
bash scripts/run-tests.sh → scripts/run-tests.sh test
bin/lint → bin/lint lint
docker compose exec web pytest → pytest test
docker compose -f dev.yml exec -T web npm test → npm test test
docker-compose run --rm api go test ./... → go test test
docker exec -it shop-web pytest -q → pytest test
docker run --rm -v .:/src -w /src node:20 npm test → npm test test
docker build -t shop . → docker build build
kubectl exec web-0 -n shop -- pytest → pytest test
CI=1 npm test → npm test test
env CI=1 GOFLAGS=-mod=mod go test ./... → go test test
NODE_OPTIONS="--max-old-space-size=4096" npx tsc --noEmit → tsc types
time go test ./... → go test test
timeout 120 pytest → pytest test
timeout -k 5 2m npm test → npm test test
nice -n 10 make test → make test test
sudo -E make test → make test test
sudo -u shop pytest → pytest test
xvfb-run -a npm run test:e2e → npm test:e2e test
nohup pytest → pytest test
cross-env NODE_ENV=test jest → jest test
dotenv -e .env.test -- jest → jest test
cd web && npm test → npm test test @web
cd web; npm test → npm test test @web
cd /srv/shop && pytest → pytest test @/srv/shop
cd web && cd src && npx eslint . → eslint lint @web/src
cd web && cd .. && pytest → pytest test
cd "$(git rev-parse --show-toplevel)" && pytest → pytest test
(cd web && npm test) → npm test test @web
pushd web && npm test && popd → npm test test @web
bash -c "cd lib && pytest -q" → pytest test @lib
bash -lc 'npm test' → npm test test
sh -c "pytest" → pytest test
eval "npm test" → npm test test
nix develop -c pytest → pytest test
nix-shell --run "pytest -q" → pytest test
pytest 2>&1 | tail -20 → pytest test
pytest 2>&1 | tee /tmp/out.txt → pytest test
pytest > /tmp/out.txt 2>&1 → pytest test
pytest &> out.txt → pytest test
go test ./... 2>&1 | grep -v "no test files" → go test test
npm test || true → npm test test
npm test; echo done → npm test test
! npm test → npm test test
set -e; pytest → pytest test
if npm test; then echo ok; fi → npm test test
for d in core web; do (cd "$d" && npm test); done → npm test test @$d
while ! pytest -q; do sleep 1; done → pytest test
{ pytest; } 2>&1 | tail → pytest test
git add -A && pytest → pytest test
git stash; git stash pop && go test ./cart → go test test : cart
git stash list && pytest → pytest test
make -j test → make test test
make -j 4 -k lint → make lint lint
bazel test //... → bazel test test
bazel test //cart:all → bazel test test : cart:all
find . -name "*.sh" | xargs shellcheck → shellcheck lint
echo y | npm test → npm test test
pytest \\⏎  -q \\⏎  tests → pytest test : tests
# run the tests⏎pytest → pytest test
pytest # all of them → pytest test
cat > a.py <<'EOF'⏎import x⏎EOF⏎pytest a.py → pytest test : a.py
cat <<-EOF > a.py && pytest⏎	npm test⏎	EOF → pytest test
python - <<EOF⏎import os⏎EOF⏎make test → make test test
git commit -m "$(cat <<'EOF'⏎Run "npm test" (it's slow)⏎EOF⏎)" && go vet ./... → go vet lint
"""
# What checks nothing, though many of these speak of checks.
OTHERS = """
ls tests
ls -la && pwd
git status
git commit -m "Fix the tests; npm test passes"
git commit -am 'make lint pass' && git push
git commit -m "$(cat <<'EOF'⏎Add retries⏎⏎pytest passes; run npm test⏎EOF⏎)"
git commit -m "$(cat <<'EOF'⏎it's (half⏎npm test⏎EOF⏎)" && git push
git diff --no-index a.json b.json
git cherry-pick 1a2b3c4
git checkout -b fix/test-lint
git log --oneline --grep "pytest"
git bisect run make test
git stash && npm test; git stash pop
git stash push -m x src && go test ./... 2>&1 | tail -5; git stash pop
bash /tmp/test.sh
/tmp/check.sh
gh pr checks 12
gh run view 3 --log-failed
gh pr create --title "test: cover carts" --body "npm test"
grep -rn "pytest" src
rg "npm test" docs | head
sed -n 1,20p tests/test_cart.py
cat Makefile package.json
cat > notes.md <<EOF⏎npm test⏎make lint⏎EOF
cat <<'EOF' > check.sh⏎pytest⏎EOF
echo "npm test"
echo 'pytest && make lint'
printf "%s" "go test ./..."
curl -s localhost:8080/test
curl https://example.com/lint | jq .
go run ./cmd/shop
go run main.go test
go mod tidy
go get golang.org/x/lint
go generate ./...
go clean -testcache
go tool cover -func=cover.out
gofmt -l .
node test.js
node scripts/build.js
python script.py
python tests/run.py
python -c "import pytest"
python3 -m http.server
python -m venv .venv
python manage.py migrate
python manage.py runserver
pip install pytest
pip install -e ".[test]"
uv sync --extra test
uv pip install ruff
uv add --dev pytest
poetry install --with test
npm install
npm ci
npm i -D jest
npm run dev
npm start
npm run test:watch
npm run build:watch
npm run
npm ls eslint
npm outdated
npm publish
pnpm install --frozen-lockfile
pnpm add -D vitest
pnpm dev
pnpm api:generate
pnpm why eslint
yarn
yarn add jest
yarn dev
bun install
bun run dev
bun index.ts
npx create-next-app test
npx playwright install
npx playwright show-report
npx cypress open
npx jest --watch
npx vitest watch
npx vitest --ui
npx tsc --watch
npx tsc --version
npx tsc --init
npx eslint --init
npx eslint --print-config src/a.ts
npx prettier src/a.ts
npx prisma generate
npx serve build
pytest --version
pytest --collect-only
pytest --help
ruff --version
ruff clean
mypy --version
make clean
make install
make run
make -n test
make help
make build-image
make test-data
make check-port
npm run openapi:spec
npm run sync:all
npm run validate-env
scripts/check_port.sh
bun run test.ts
npx jest -v
just --list
just dev
mise install
mise tasks
mise run dev
mise ls
mise use node@20
task --list
cargo run
cargo add serde
cargo install cargo-nextest
cargo tree
cargo doc --open
cargo bench
mvn clean
mvn dependency:tree
./gradlew dependencies
./gradlew clean
./gradlew bootRun
dotnet run
dotnet restore
bundle install
rake db:migrate
rails server
composer install
php artisan migrate
docker compose up -d
docker compose up --build
docker compose down
docker ps
docker compose logs web
docker compose exec web bash
docker run --rm postgres
kubectl get pods
kubectl apply -f test.yaml
helm install shop charts/shop
terraform init
terraform plan
terraform apply
pre-commit install
golangci-lint version
golangci-lint linters
test -f pytest.ini
[ -d tests ] && ls tests
which pytest
command -v npm
type pytest
man make
rm -rf build dist
mkdir -p test/lint
mv test.py tests/
cp build/check .
chmod +x scripts/test.sh
vim scripts/test.sh
head -50 scripts/check.sh
export TEST=1
TEST=pytest
alias t=pytest
cd tests
source .venv/bin/activate
sleep 5 && tail log
ps aux | grep jest
kill 123
brew install shellcheck
apt-get install -y make
wc -l tests/*.py
find . -name "*_test.go"
find tests -name "*.py" -exec grep -l pytest {} +
jq .scripts.test package.json
awk '/test/' Makefile
diff build/a build/b
code tests
open coverage/index.html
ssh host 'uptime'
tar czf build.tgz build
/usr/bin/test -f x
SHA=$(git rev-parse HEAD)
OUT=$(npm test)
pyenv install 3.12
nvm use 20
asdf install
belay status
claude mcp list
xcodebuild -list
swift package resolve
flutter pub get
mix deps.get
stripe listen
sqlite3 test.db .schema
psql test -c "select 1"
"""


def rows(text):
    return [line.replace("⏎", "\n") for line in text.strip().split("\n") if line]


def shown(check):
    paths = [word for word in check.scope if word[:1] != "-"]
    selectors = [word for word in check.scope if word[:1] == "-"]
    scope = " | ".join(part for part in (" ".join(paths), *selectors) if part)
    text = f"{check.runner} {check.kind}{' +' if check.fixes else ''}{f' @{check.folder}' if check.folder else ''}"
    return text + (f" : {scope}" if scope else "")


@pytest.mark.parametrize("row", [row for row in rows(CHECKS) if not row.endswith("none")])
def test_what_a_command_line_checks(row):
    command, _, expected = row.rpartition(" → ")

    assert [shown(check) for check in checks.find_checks(command)] == [expected]


@pytest.mark.parametrize("command", rows(OTHERS))
def test_what_checks_nothing(command):
    assert checks.find_checks(command) == []
    assert checks.main_check(command) is None
    assert not checks.hides_exit(command)


def test_the_tables_are_long():
    assert len(rows(CHECKS)) >= 250
    assert len(rows(OTHERS)) >= 150


@pytest.mark.parametrize(
    ("command", "runners"),
    [
        ("ruff check . && mypy src && pytest", ["ruff check", "mypy", "pytest"]),
        ("mise run fmt && mise run lint && mise run test:ci", ["mise fmt", "mise lint", "mise test:ci"]),
        ("make lint test", ["make lint", "make test"]),
        ("npx turbo run lint test build --filter=web", ["turbo lint", "turbo test", "turbo build"]),
        ("npx nx run-many -t lint,test", ["nx lint", "nx test"]),
        ("mvn clean verify", ["mvn verify"]),
        ("./gradlew clean build check", ["gradle build", "gradle check"]),
        ("mise run lint ::: test", ["mise lint", "mise test"]),
        ("npm ci && npm run build && npm test", ["npm build", "npm test"]),
        ("cat > x <<'A' && pytest\nmake lint\nA\nmake build; ls", ["pytest", "make build"]),
        ("go vet ./... ; go test ./... | tail -5", ["go vet", "go test"]),
        ('bash -c "ruff check && pytest" || tox', ["ruff check", "pytest", "tox"]),
    ],
)
def test_several_checks_on_a_line(command, runners):
    assert [check.runner for check in checks.find_checks(command)] == runners


@pytest.mark.parametrize(
    ("command", "passed", "failed"),
    [
        ("pytest", "pytest", "pytest"),
        ("pytest 2>&1", "pytest", "pytest"),
        ("cd web && npm test", "npm test", "npm test"),
        ("source .venv/bin/activate && pytest", "pytest", "pytest"),
        ("ruff check && pytest", "ruff check, pytest", "ruff check, pytest"),
        ("pytest | tail -5", "", ""),
        ("pytest | tee out.txt", "", ""),
        ("pytest |& tail", "", ""),
        ("set -o pipefail; pytest | tail -5", "pytest", "pytest"),
        ("set -euo pipefail\npytest | tee out.txt\necho done", "pytest", "pytest"),
        ("pytest | grep FAILED", "", ""),
        ("set -o pipefail; pytest | grep FAILED", "pytest", ""),
        ("echo y | npm test", "npm test", "npm test"),
        ("pytest; echo done", "", ""),
        ("pytest\necho done", "", ""),
        ("set -e; pytest; echo done", "pytest", "pytest"),
        ("ruff check; pytest", "pytest", "pytest"),
        ("pytest || true", "", "pytest"),
        ("pytest || exit 1", "pytest", "pytest"),
        ("pytest || { echo bad; exit 1; }", "pytest", "pytest"),
        ("pytest || echo bad", "", "pytest"),
        ("pytest a.py || pytest b.py", "", "pytest"),
        ("! pytest", "", ""),
        ("pytest &", "", ""),
        ("if pytest; then echo ok; fi", "", ""),
        ("for x in a b; do pytest $x; done", "", ""),
        ("(cd web && npm test)", "npm test", "npm test"),
        ("{ pytest; }", "pytest", "pytest"),
        ("bash -c 'pytest | tail'", "", ""),
        ("bash -c 'cd lib && pytest'", "pytest", "pytest"),
        ("npm ci && npm test", "npm test", ""),
        ("git add -A && pytest && git commit -m 'Add carts'", "pytest", ""),
        ("docker compose up -d && npm test", "npm test", ""),
        ("grep -q x y && pytest", "pytest", ""),
        ("git status --short && pytest", "pytest", "pytest"),
        ("git add -A && pytest", "pytest", "pytest"),
        ("git diff --exit-code && pytest", "pytest", ""),
        ("pytest; status=$?; rm -f tmp.db; exit $status", "pytest", "pytest"),
        ("pytest; CODE=$?; tail out.txt; exit ${CODE}", "pytest", "pytest"),
        ("pytest; exit $?", "pytest", "pytest"),
        ("pytest; exit 0", "", ""),
        ("pytest; git stash; git stash pop", "", ""),
        ("pytest | tail -5; exit ${PIPESTATUS[0]}", "pytest", "pytest"),
        ("pytest | tail -5; S=${PIPESTATUS[0]}; rm a; exit $S", "pytest", "pytest"),
        ("pytest | tail -5; exit $?", "", ""),
        ("rm -rf dist && mkdir dist && npm run build", "npm build", "npm build"),
        ("VERSION=1.2 && make build", "make build", "make build"),
        ("VERSION=$(git describe) && make build", "make build", ""),
        ("time pytest", "pytest", "pytest"),
        ("exit 1", "", ""),
    ],
)
def test_what_the_exit_of_a_line_says(command, passed, failed):
    line = checks.read_line(command)

    assert ", ".join(check.runner for check in line.passed) == passed
    assert ", ".join(check.runner for check in line.failed) == failed
    assert checks.main_check(command) == (line.failed[-1] if failed else None)
    assert checks.hides_exit(command) == bool(line.checks and not passed and not failed)


COVERED = [
    ("npm test", "npm test"),
    ("npm run test", "npm test"),
    ("npm test -- --silent", "npm test"),
    ("npm test", "npm test -- --silent"),
    ("pnpm test", "npm test"),
    ("npm test", "npm test -- src/cart.test.ts"),
    ("npm test", "npx jest src/cart.test.ts"),
    ("npx jest", "npm test"),
    ("npx jest", "npx jest src/cart.test.ts -t 'adds tax'"),
    ("npx jest src", "npx jest src/cart.test.ts"),
    ("pytest", "pytest tests/test_cart.py -k refund"),
    ("pytest -q 2>&1 | tail -5", "pytest -x"),
    ("pytest tests", "pytest tests/test_cart.py::test_total"),
    ("pytest tests/test_cart.py", "pytest tests/test_cart.py::test_total[a-b]"),
    ("python -m pytest", "uv run pytest tests"),
    ("go test ./...", "go test ./cart/..."),
    ("go test ./...", "go test ./cart -run TestTotal -v"),
    ("go test ./...", "cd cart && go test"),
    ("go test ./cart/...", "go test ./cart/tax"),
    ("go test ./cart", "cd cart && go test ."),
    ("go test ./...", "go build ./..."),
    ("go test -race ./... -count=1", "go test ./..."),
    ("mise run fmt && mise run lint && mise run test 2>&1 | tail -5", "go build ./..."),
    ("golangci-lint run", "go build ./cmd/shop"),
    ("cd /srv/shop && go test ./cart", "go test ./cart"),
    ("cargo test", "cargo test cart::total"),
    ("cargo test", "cargo build"),
    ("cargo clippy", "cargo check"),
    ("ruff check --fix", "ruff check src"),
    ("ruff check", "ruff check --fix"),
    ("eslint --fix .", "eslint src"),
    ("npm run lint:fix", "npm run lint"),
    ("npm run format", "npm run format:check"),
    ("prettier --write .", "prettier --check ."),
    ("black .", "black --check src"),
    ("cargo fmt", "cargo fmt --check"),
    ("gofmt -w .", "gofmt -w cart"),
    ("mise run lint", "mise run lint:gofmt"),
    ("mise run lint", "mise run lint 2>&1 | tail"),
    ("mise run test:ci", "mise run test"),
    ("mise run test", "go test ./cart -run TestTotal"),
    ("go test ./...", "mise run test"),
    ("golangci-lint run", "golangci-lint run ./cart/..."),
    ("make test", "pytest tests/test_cart.py"),
    ("npm test", "cd web && npm test"),
    ("cd web && npm test", "pnpm --filter web test"),
    ("pnpm --filter web test", "cd apps/web && pnpm test -- --silent"),
    ("cd apps && cd web && npm test", "cd apps/web && npm test"),
    ("npx tsc --noEmit", "npm run typecheck"),
    ("mvn verify", "mvn test -Dtest=CartTest"),
    ("ruff check && pytest", "pytest && ruff check"),
    ("mise run test", "mise run fmt && mise run test"),
    ("bundle exec rspec", "rspec spec/cart_spec.rb:12"),
    ("docker compose exec web pytest", "pytest tests/x.py"),
]
NOT_COVERED = [
    ("npm run lint", "npm test"),
    ("npm test", "npm run lint"),
    ("npm test", "npm run test:e2e"),
    ("npm test -- src/cart.test.ts", "npm test"),
    ("pytest tests/test_cart.py", "pytest"),
    ("pytest tests/test_cart.py", "pytest tests/test_tax.py"),
    ("pytest tests/test_cart.py::test_a", "pytest tests/test_cart.py::test_ab"),
    ("pytest -k refund", "pytest"),
    ("pytest -k refund", "pytest -k total"),
    ("pytest --lf", "pytest"),
    ("go test ./cart", "go test ./..."),
    ("go test ./cart", "go test ./cart/tax"),
    ("go test", "go test ./..."),
    ("go test -run TestTotal ./...", "go test ./..."),
    ("go build ./...", "go test ./..."),
    ("cd web && npm test", "npm test"),
    ("cd web && npm test", "cd api && npm test"),
    ("pnpm --filter web test", "pnpm --filter api test"),
    ("pnpm --filter web test", "pnpm test"),
    ("mise run test", "mise run test:ci"),
    ("mise run lint:gofmt", "mise run lint"),
    ("mypy", "ruff check"),
    ("npm test", "pytest"),
    ("npm test", "npm run build"),
    ("npm test", "go build ./..."),
    ("make lint", "cargo test"),
    ("make test", "mise run test"),
    ("npm run lint", "ruff check"),
    ("make lint", "make test"),
    ("ruff format", "ruff check"),
    ("cargo check", "cargo test"),
    ("cargo test -p core", "cargo test"),
    ("eslint src/a.ts", "eslint src"),
    ("pytest", "ruff check && pytest"),
    ("pytest", "git commit -m x"),
    ("ls", "pytest"),
    ("npx jest src/cart.test.ts", "npm test"),
]


@pytest.mark.parametrize(("passed", "failing"), COVERED)
def test_what_makes_up_for_a_failure(passed, failing):
    assert checks.clears(failing, [passed])


@pytest.mark.parametrize(("passed", "failing"), NOT_COVERED)
def test_what_does_not_make_up_for_a_failure(passed, failing):
    assert not checks.clears(failing, [passed])


def test_checks_that_failed_together_may_pass_one_by_one():
    assert checks.clears("ruff check && pytest", ["pytest -q", "ruff check --fix src lib", "ruff check"])
    assert not checks.clears("ruff check && pytest", ["pytest -q", "mypy"])
    assert not checks.clears("pytest", [])


def test_a_folder_below_the_root_is_given_from_there():
    (check,) = checks.find_checks("cd /srv/shop/web && npm test", "/srv/shop/")

    assert (check.folder, check.start) == ("web", "web")
    assert checks.clears("cd web && npm test", ["cd /srv/shop && npm test"], "/srv/shop")
    assert not checks.clears("npm test", ["cd /srv/shop/web && npm test"], "/srv/shop")


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("cd web && CI=1 npm test -- --silent 2>&1 | tail -3; echo done", "cd web && CI=1 npm test -- --silent"),
        ("git add -A && pytest -k 'a or b' > out; git push", "pytest -k 'a or b'"),
        ("cat > a.py <<'EOF'\nx = 1\nEOF\npytest a.py", "pytest a.py"),
        ("ruff check .\ncd web\nnpm test; cd ..; mypy", "ruff check . && cd web && npm test && cd - && mypy"),
        ('bash -c "make lint test"', "make lint test"),
        ("pytest tests/*.py", "pytest tests/*.py"),
        ('pytest -k "it\'s"', 'pytest -k "it\'s"'),
        ("ls", ""),
    ],
)
def test_checks_are_described_as_one_command_line(command, text):
    found = checks.find_checks(command)

    assert checks.describe(found) == text
    assert [check[:5] for check in checks.find_checks(text)] == [check[:5] for check in found]


COMMANDS = st.sampled_from([row.rpartition(" → ")[0] for row in rows(CHECKS) if not row.endswith("none")])
SIMPLE = COMMANDS.filter(
    lambda command: not set("\n;|&#!") & set(command) and not command.startswith(("if", "for", "{", "("))
)
WRAPPINGS = st.sampled_from(
    ["{}", "time {}", "env A=1 {}", "A=1 {}", "cd x && {}", "({})", "{} 2>&1", "{} | tail -3", "{} || true", "timeout 9 {}",
     "set -e; {}", "{} > out.txt", "echo a && {}", "{}; echo b", "nice {}", "sudo {}", "{{ {}; }}", "true &&\\\n {}"]
)  # fmt: skip


@given(st.text(st.sampled_from("ab =-/.:;&|()<>{}$`'\"\\\n#!EOF") | st.characters(), max_size=60))
def test_any_text_can_be_read(text):
    line = checks.read_line(text)

    assert set(line.passed) | set(line.failed) <= set(line.checks)
    assert checks.clears(text, [text]) == bool(line.checks)
    assert isinstance(checks.describe(line.checks), str)


PLAIN = [
    "ls -la",
    "cd web",
    "echo 'npm test'",
    "git log | head",
    "cat a",
    "grep -rn 'a|b' .",
    "find . -exec pytest {} +",
]
OPERATORS = st.sampled_from(["; ", " && ", "\n", " | ", " & "])


@given(st.lists(st.sampled_from(PLAIN) | COMMANDS, max_size=4), OPERATORS)
def test_a_plain_line_checks_nothing(commands, operator):
    line = operator.join(commands)

    assert not (tool_results.is_plain(line) and checks.find_checks(line))
    assert tool_results.is_plain(operator.join(["ls -la", "cd web", "git log | head"]))


@given(
    st.lists(COMMANDS | st.sampled_from(rows(OTHERS)), max_size=4), st.sampled_from(["; ", " && ", "\n", " | ", " || "])
)
def test_lines_of_many_steps_can_be_read(commands, operator):
    checks.read_line(operator.join(commands))


@given(SIMPLE, WRAPPINGS)
def test_a_wrapping_does_not_change_what_is_checked(command, wrapping):
    (plain,) = checks.find_checks(command)
    (wrapped,) = checks.find_checks(wrapping.format(command))

    assert wrapped[:3] == plain[:3]
    assert wrapped.fixes == plain.fixes


@given(COMMANDS)
def test_a_check_makes_up_for_itself(command):
    for check in checks.find_checks(command):
        assert checks.covers(check, check)
        assert checks.covers(check._replace(fixes=True), check)


PATHS = st.lists(st.sampled_from(["a", "b", "c.py"]), min_size=1, max_size=4).map("/".join)


@given(st.sampled_from(["pytest", "jest", "ruff check", "npm test"]), PATHS, PATHS, PATHS)
def test_a_wider_scope_makes_up_for_a_narrower_one(runner, top, below, folder):
    everything = Check(runner, "test", (), folder)
    wide, narrow = everything._replace(scope=(top,)), everything._replace(scope=(f"{top}/{below}", "-k x"))

    assert checks.covers(everything, wide)
    assert checks.covers(wide, narrow)
    assert checks.covers(everything, narrow)
    assert not checks.covers(narrow, wide)
    assert not checks.covers(narrow, everything)


def test_deep_nesting_and_long_texts_are_read():
    assert checks.find_checks("(" * 3000 + "pytest" + ")" * 3000)[:1] in ([], [Check("pytest", "test", text="pytest")])
    assert checks.find_checks("$(" * 3000) == []
    assert checks.find_checks('bash -c "' * 50 + "pytest") == []
    for line in (
        "pytest && ",
        "pytest || ",
        "pytest | ",
        "pytest; ",
        "pytest && a || ",
        "! ",
        "a <<A <<B\n",
        "if ",
        "f() ",
        "{ ",
    ):
        assert len(checks.find_checks(line * 9000)) < 9000
    body = "npm test\n" * 20000
    assert [check.runner for check in checks.find_checks(f"cat > x <<'EOF'\n{body}EOF\npytest")] == ["pytest"]
