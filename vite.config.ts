import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type ProxyOptions, type Rolldown } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

const server = process.env.DEV_SERVER ?? 'http://127.0.0.1:3000'
/** Modules of `web/api`, `web/device` and `web/live` have URLs that begin like the server's routes. */
const toServer: ProxyOptions = {
  target: server,
  bypass: ({ url }) => (/\.(tsx?|css)(\?|$)/.test(url ?? '') ? url : undefined),
}
/** Output folder, relative to this one. */
const outDir = process.env.WEB_DIR ?? 'dist/web'

/** The bare package name resolves to the development build, which is larger and logs warnings. */
const routerForUse = join(
  import.meta.dirname,
  'node_modules/react-router/dist/production/index.mjs',
)

/** All but what only two or three screens of one subject share, such as the libraries of support. */
const neededBySeveral =
  /^(?!.*(web[\\/]wall|racing[\\/]circuits|support[\\/]web[\\/](desk|visitor))[\\/]|.*(peerjs|socket\.io|engine\.io|qrcode|QrCode|refusalDetails))/

/** The screens that are opened in a hurry: each has a file of its own with all that it imports. */
const inAHurry: Rolldown.CodeSplittingGroup[] = [
  { name: 'sign-in', test: /SignInScreen\.tsx$/ },
  { name: 'drive', test: /(SignedInShell|TeamShell|DriveScreen)\.tsx$/ },
].map(group => ({ ...group, includeDependenciesRecursively: true }))

/** Moves the style sheet behind the loading screen in index.html, which is painted before it has loaded. */
const paintsFirst: Plugin = {
  name: 'paints-first',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [link = ''] = html.match(/<link rel="stylesheet"[^>]*>/) ?? []
      return html.replace(link, '').replace('</body>', `${link}</body>`)
    },
  },
}

export default defineConfig(({ command }) => ({
  root: 'web',
  resolve: {
    alias: command === 'build' ? [{ find: /^react-router$/, replacement: routerForUse }] : [],
  },
  plugins: [
    react(),
    paintsFirst,
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      // The app registers the service worker when idle, and the manifest is a file in web/public.
      injectRegister: false,
      manifest: false,
      // The build of the service worker logs only errors.
      integration: {
        configureCustomSWViteBuild: build => {
          build.logLevel = 'error'
          build.build = { ...build.build, license: { fileName: 'third-party-notices-worker.md' } }
        },
      },
      injectManifest: {
        rollupFormat: 'iife',
        // Fonts of other alphabets are loaded when a name needs them.
        globPatterns: [
          'index.html',
          'assets/*.{js,css}',
          'assets/archivo-{basic,rest}-*.woff2',
          '*.{svg,png}',
        ],
        // Support code is loaded only where support is enabled, and needs a network.
        globIgnores: ['assets/{support,DeskRoutes,replay,bundler}*'],
        // File names of assets contain a hash of their content.
        dontCacheBustURLsMatching: /^assets\//,
        manifestTransforms: [pageAtItsAddress],
      },
    }),
  ],
  define: {
    'import.meta.env.VITE_APP_VERSION': JSON.stringify(process.env.APP_VERSION ?? 'source'),
  },
  // Names of grid areas stay: lightningcss would miss those in a `grid-template` with a variable, and in other files.
  css: { transformer: 'lightningcss', lightningcss: { cssModules: { grid: false } } },
  build: {
    outDir: join('..', outDir),
    emptyOutDir: true,
    target: ['chrome120', 'edge120', 'firefox124', 'safari17.4'],
    // The server preloads the files of a page by it.
    manifest: true,
    // The licences of bundled packages require their notices in the build.
    license: { fileName: 'third-party-notices.md' },
    // The content security policy allows only our own files: no data: URLs or inline scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The server preloads the scripts of a page. Lists of them would add 700 bytes to the first one.
      resolveDependencies: (_, files) => files.filter(file => file.endsWith('.css')),
    },
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'index', tags: ['$initial'] },
            ...inAHurry,
            // Otherwise each icon and each small module of two screens would be a file.
            { name: 'shared', minShareCount: 2, test: neededBySeveral },
          ],
        },
      },
    },
  },
  server: {
    // PUBLIC_URL has this port: links in mails would not open the app on another one.
    port: 5173,
    strictPort: true,
    proxy: {
      '/api': toServer,
      '/dev': toServer,
      '/version.json': toServer,
      '/live': { ...toServer, ws: true },
    },
  },
}))

/**
 * Caches the page under the root URL, with an integrity hash: while servers of two builds run at the same time, a
 * service worker must not cache the page of the other build. Its installation then fails and is retried.
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
