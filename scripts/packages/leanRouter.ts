import type { Plugin } from 'vite'

/**
 * Passages of React Router's production build that the plain router never runs, and their replacements. They are
 * behind conditions that are false in this app, which a bundler cannot know.
 */
const passages: readonly (readonly [passage: string | RegExp, replacement: string])[] = [
  // Links prefetch only in React Router's framework.
  ['usePrefetchBehavior(\n      prefetch,\n      rest\n    )', '[false, void 0, {}]'],
  ['ref: mergeRefs(forwardedRef, prefetchRef)', 'ref: forwardedRef'],
  [/return shouldPrefetch && !isAbsolute \? .* : link;/, 'return link;'],
  // Only data routers render error boundaries of their own. The static field would keep this class.
  [
    'dataRouterState && (match.route.ErrorBoundary || match.route.errorElement || index === 0)',
    'false',
  ],
  ['RenderErrorBoundary.contextType = RSCRouterContext;', ''],
]

/** Vite plugin that replaces them. The build fails if another version of React Router has other passages. */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/]production[\\/]chunk-\w+\.mjs$/ },
      handler(code) {
        if (!code.includes('function BrowserRouter(')) return null
        let lean = code
        for (const [passage, replacement] of passages) {
          const next = lean.replace(passage, replacement)
          if (next === lean) this.error(`React Router has no passage ${passage}`)
          lean = next
        }
        return lean
      },
    },
  }
}
