import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

const server = process.env.DEV_SERVER ?? 'http://127.0.0.1:3000'
/** Where the build goes, from this folder. */
const outDir = process.env.WEB_DIR ?? 'dist/web'

const everyScreenNeeds =
  /node_modules[\\/]((react|react-dom|scheduler|react-router|@tanstack)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](Icon|context|createLucideIcon|shared))/

/** Libraries of the visitor's and the agent's connections. */
const supportConnections =
  /node_modules[\\/](peerjs|socket\.io-client|socket\.io-parser|engine\.io-client)[\\/]/

/** The live connection, and what each screen of a team uses. */
const everyTeamNeeds =
  /^(?!.*node_modules).*[\\/](client[\\/](?!fixes|driver[\\/](?!driving|receipts))|web[\\/](live[\\/]|device[\\/](pageClock|textStore|visibility|vibrate|painted)|api[\\/](queries|useActiveTeam)|ui[\\/](wholeNumber|board[\\/](Word|tones))))|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]check\.mjs/

const callsAndTexts =
  /[\\/](web[\\/](api|text)[\\/](call|refusal|xsrf|text|app)|client[\\/]driver[\\/]storedKeys)/

/** By its name alone the package resolves to its development build, which is larger and warns. */
const routerForUse = join(
  import.meta.dirname,
  'node_modules/react-router/dist/production/index.mjs',
)

export default defineConfig(({ command }) => ({
  root: 'web',
  resolve: {
    alias: command === 'build' ? [{ find: /^react-router$/, replacement: routerForUse }] : [],
  },
  plugins: [
    react(),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // The app registers it when it has nothing else to do, and the manifest is a file in web/public.
      injectRegister: false,
      manifest: false,
      // Its build speaks up only when something is wrong.
      integration: {
        configureCustomSWViteBuild: build => {
          build.logLevel = 'error'
          build.build = { ...build.build, license: { fileName: 'third-party-notices-worker.md' } }
        },
      },
      injectManifest: {
        rollupFormat: 'iife',
        // Other alphabets than Latin are loaded when a name needs them.
        globPatterns: [
          'index.html',
          'assets/*.{js,css}',
          'assets/archivo-latin-wdth-*.woff2',
          '*.{svg,png}',
        ],
        // Loaded where there is support, or by its agents, and of no use without a network.
        globIgnores: ['assets/{support,DeskRoutes,replay}*'],
        // Their names change with their contents.
        dontCacheBustURLsMatching: /^assets\//,
        manifestTransforms: [pageAtItsAddress],
      },
    }),
  ],
  define: {
    'import.meta.env.VITE_APP_VERSION': JSON.stringify(process.env.APP_VERSION ?? 'source'),
  },
  css: { transformer: 'lightningcss' },
  build: {
    outDir: join('..', outDir),
    emptyOutDir: true,
    target: ['chrome120', 'edge120', 'firefox124', 'safari17.4'],
    // The licences of what is bundled ask that their notices travel with it.
    license: { fileName: 'third-party-notices.md' },
    // The content security policy allows files of our own only: nothing may become a data: URL or an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Every first load carries these names, and they cannot be compressed.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          // What every screen needs and what seldom changes, in one file: it stays in the browsers'
          // caches when only our own code is new, and compresses better than in pieces.
          groups: [
            { name: 'vendor', test: everyScreenNeeds },
            // Left alone, these would be three small files.
            { name: 'common', test: callsAndTexts },
            { name: 'team', test: everyTeamNeeds },
            { name: 'supportConnections', test: supportConnections },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/api': server,
      '/dev': server,
      '/version.json': server,
      '/live': { target: server, ws: true },
    },
  },
}))

/**
 * The page is served at the root. Its hash goes along: while servers of two builds answer side by side,
 * a worker must not take the page of the other one; it is then not installed and tried again.
 */
function pageAtItsAddress<Entry extends { url: string; integrity?: string }>(entries: Entry[]) {
  const manifest = entries.map(entry => {
    if (entry.url !== 'index.html') return entry
    const page = readFileSync(join(import.meta.dirname, outDir, 'index.html'))
    const integrity = `sha384-${createHash('sha384').update(page).digest('base64')}`
    return { ...entry, url: '/', integrity }
  })
  return { manifest, warnings: [] }
}
