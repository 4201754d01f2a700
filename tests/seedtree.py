"""The example hierarchy of seed 000, word for word where the seed has words, with the code it speaks of."""

import json

from repos import git

ROOT_MEMORY = """# Shop - Project Memory

## Project Overview
A shop for plans, because resellers need one place for invoices.

## Technology Stack
- Framework: Next.js 14 with App Router
- Database: Supabase (PostgreSQL)
- Styling: Tailwind CSS
- State: Zustand for client state

## Key Design Decisions
1. **Multi-tenancy**: Implemented at database level with RLS, so that no query can forget the tenant
2. **Authentication**: Using Supabase Auth with custom claims, because RLS reads them
3. **API Design**: RESTful with consistent error handling, so that one client fits all routes

## Development Patterns
- Feature-based architecture
- Composable components
- Server-first rendering

## Business Logic
- **Subscription Tiers**: Free, Pro ($29/mo), Enterprise (custom)
- **User Roles**: Owner, Admin, Member, Guest
- **Billing Cycle**: Monthly or annual with 20% discount
"""
ORCHESTRATION = """# Orchestration Memory

## Current Development Phase
Building MVP with core authentication and billing features

## Task History
- ✅ Project initialization with MakerKit template
- ✅ Authentication system implementation
- 🔄 Billing integration with Stripe
- ⏳ Admin dashboard

## Discovered Patterns
1. **API Routes**: All follow /api/[feature]/[action] pattern
2. **Component Structure**: Presentational/Container separation
3. **Error Handling**: Centralized error boundary with toast notifications

## Technical Insights
- Supabase RLS policies require careful ordering
- Next.js middleware handles tenant resolution
- Stripe webhooks need signed verification
"""
AUTH = """# Authentication Feature Memory

## Implementation Details
- Using Supabase Auth with email/password and OAuth
- Custom claims stored in auth.users metadata
- Session management via cookies

## Key Components
- `AuthProvider`: React context for auth state
- `useAuth`: Hook for accessing auth functions
- `withAuth`: HOC for protected routes

## Known Issues & Solutions
1. **Issue**: OAuth redirect URLs in development
   **Solution**: Use separate Supabase projects for dev/prod

## Integration Points
- Billing: User subscription status checked on login
- Admin: Role-based access control via custom claims
"""
BILLING = """# Billing Feature Memory

## Billing Feature Architecture

### Components
- `PricingTable`: Displays available plans
- `SubscriptionManager`: Handles plan changes
- `PaymentMethodForm`: Stripe Elements integration

### API Routes
- POST /api/billing/create-subscription
- POST /api/billing/update-subscription
- POST /api/billing/cancel-subscription
- POST /api/billing/webhook (Stripe events)
"""
COMPONENTS = """# Component Patterns

- Buttons take a variant, never a class name
"""
PACKAGE = {
    "name": "shop",
    "scripts": {"dev": "next dev", "test": "vitest"},
    "dependencies": {
        "next": "14.2.3", "react": "18.3.1", "zustand": "^4.5.2", "tailwindcss": "3.4.1", "stripe": "15.0.0",
        "@supabase/supabase-js": "^2.43.0",
    },
    "devDependencies": {"vitest": "1.6.0"},
}  # fmt: skip
CODE = {
    "src/features/auth/auth-provider.tsx": "export function AuthProvider() {}\n",
    "src/features/auth/use-auth.ts": "export function useAuth() {}\n",
    "src/features/auth/with-auth.tsx": "export function withAuth() {}\n",
    "src/features/billing/pricing-table.tsx": "export function PricingTable() {}\n",
    "src/features/billing/subscription-manager.tsx": "export function SubscriptionManager() {}\n",
    "src/features/billing/payment-method-form.tsx": "export function PaymentMethodForm() {}\n",
    "src/components/button.tsx": "export function Button() {}\n",
    "src/app/api/billing/webhook/route.ts": "export async function POST() {}\n",
    "docs/billing.md": "# Billing\n\nHow invoices are made.\n",
    ".claude/rules/api.md": "---\npaths: src/app/api/**\n---\n- Every route validates its input with Zod\n",
}
MEMORY = {
    "CLAUDE.md": ROOT_MEMORY,
    ".orchestre/CLAUDE.md": ORCHESTRATION,
    "src/features/auth/CLAUDE.md": AUTH,
    "src/features/billing/CLAUDE.md": BILLING,
    "src/components/CLAUDE.md": COMPONENTS,
}


def build(root, **changes):
    """Write and commit the hierarchy below a new folder; `changes` are {path with "/" as "__": text to add}."""
    root.mkdir(exist_ok=True)
    files = {**CODE, **MEMORY, "package.json": json.dumps(PACKAGE, indent=2)}
    for path, text in files.items():
        write(root, path, text)
    for path, text in changes.items():
        name = path.replace("__", "/").replace("CLAUDE", "CLAUDE.md")
        write(root, name, MEMORY.get(name, "") + text)
    git(root, "init", "-q")
    commit(root, "Build the shop")
    return root


def write(root, path, text):
    """Write a file and the folders above it."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def commit(root, subject):
    """Commit everything."""
    git(root, "add", "-A")
    git(root, "commit", "-qm", subject)
