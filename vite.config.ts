import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type ProxyOptions } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'

const server = process.env.DEV_SERVER ?? 'http://127.0.0.1:3000'
/** Modules of `web/api`, `web/device` and `web/live` have URLs that begin like the server's routes. */
const toServer: ProxyOptions = {
  target: server,
  bypass: ({ url }) => (/\.(tsx?|css)(\?|$)/.test(url ?? '') ? url : undefined),
}
/** Output folder, relative to this one. */
const outDir = process.env.WEB_DIR ?? 'dist/web'

// Lists of several pages and of several sessions are part of few screens.
const everyScreenNeeds =
  /^(?!.*[\\/](useInfiniteQuery|infiniteQuery(Observer|Options)|useQueries|queriesObserver)\.).*node_modules[\\/]((react|react-dom|scheduler|react-router|@tanstack)[\\/]|lucide-react[\\/]dist[\\/]esm[\\/](Icon|context|createLucideIcon|shared))/

/** Connection libraries of the support visitor and agent. */
const supportConnections =
  /node_modules[\\/](peerjs|socket\.io-client|socket\.io-parser|engine\.io-client)[\\/]/

/** The live client and modules used by every screen of a team. */
const everyTeamNeeds =
  /^(?!.*node_modules).*[\\/](contract[\\/]shared[\\/](places[\\/]fix|liveRules|extremes)\.|client[\\/](answers[\\/]sessionAnswers|(?!fixes|answers|stints|driver[\\/](?!driving|receipts|storedScreen)))|web[\\/](app[\\/]((SignedIn|Team)Shell|isId)|live[\\/](?!logged)|device[\\/](clockOffset|pageClock|reloadWhenReachable|textStore|vibrate|sound|wakeLock|visibility|painted)|api[\\/]queries|ui[\\/](wholeNumber|board[\\/](Word|tones))))|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]check\.mjs/

/** The app's entry with all it imports, and small modules that would otherwise be files of their own. */
const entry =
  /[\\/](web[\\/](main\.tsx|device[\\/]lapsKey)|client[\\/]driver[\\/]storedKeys|contract[\\/]shared[\\/]bounds)/

/** Small modules that several screens of lists share. The drive and sign-in screens use none of them. */
const everyListNeeds =
  /[\\/](web[\\/](settingsQuery|api[\\/](pictures|teamQueries|patchList|useIsViewer)|teams[\\/](useLiveMembers|useLiveSessions)|race[\\/]driverName|text[\\/]teams|ui[\\/](ThreeLetterPlate|threeLetters|Tag|Rows|IconButton|ActionCard|Dialog\.module|Skeleton))|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](download|eye|list|plus|send|wifi-off|smartphone|rotate-ccw-clock)\.mjs)/

/** Figures of laps and stints, which the screens of a team and the driver's board share. */
const aboutLaps =
  /[\\/]web[\\/](laps[\\/](lapBoard|LapBoardView)|text[\\/](laps|lapBoard|raceClock|dataLink|answers)|race[\\/](useLaps|withChange|lapFigures|useServerNow|raceFigure|useStints|hasStint)|message[\\/]delivery|ui[\\/]board[\\/](AnswerPlate|FittedWord|fitWord))\.|[\\/]racing[\\/](clocks|fuel|plan|rules|strategy)[\\/]|contract[\\/]shared[\\/]messageTypes\.|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]message-square-text\.mjs/

/** The sign-in screen with the text field and the library of forms: one file for the first visit. */
const signInAndForms =
  /node_modules[\\/]react-hook-form[\\/]|[\\/]web[\\/](ui[\\/](Field|isEmail|PageHead|Poster)|api[\\/]showRefusedFields|text[\\/]auth|account[\\/](SignInScreen|AuthLayout|GoogleButton|authPaths|useRefusedReturn|useSendCode))\./

/** Signing in with a passkey, offered below the form. */
const aboutPasskeys = /[\\/]web[\\/](device|text|account)[\\/](passkeys|PasskeyButton)\./

/** Drawings of circuits and the shipped ones, for the map and the pages of laps. */
const drawnCircuits =
  /[\\/]web[\\/](race[\\/]lapFigures|circuits[\\/](StartFinish|circuitQueries|drawing|drivenDirection|pitLane|useSessionCircuit))\.|[\\/]contract[\\/]circuits[\\/]/

/** Modules that the checks before the start share with the rest of the drive screen. */
const aboutTheDrive =
  /[\\/]web[\\/](device[\\/](voice|mediaButton|silence)|drive[\\/](useDataLinkOff|useVoice|spokenForms)|text[\\/]spoken)\./

/** Modules about the phone and how the app runs on it, which the drive screen loads only before a start. */
const aboutThePhone = /[\\/]web[\\/]device[\\/](ios|installation)/

/** The screens that a team opens during a race, and the pages that lead to them. */
const openedInAHurry =
  /^assets\/(forms|CodeScreen|TeamList|team|TeamHomeScreen|DriveScreen|Background|fixStore|Message)-/

/** Files that `index.html` loads. */
const alwaysLoaded = /^assets\/(index|vendor|rolldown-runtime)-/

/** The bare package name resolves to the development build, which is larger and logs warnings. */
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
        globIgnores: ['assets/{support,DeskRoutes,replay}*'],
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
    // The licences of bundled packages require their notices in the build.
    license: { fileName: 'third-party-notices.md' },
    // The content security policy allows only our own files: no data: URLs or inline scripts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Each first load contains these names, so only screens opened in a hurry preload what they import. The
      // service worker caches all files in the background anyway. Style sheets must be loaded with their screen.
      resolveDependencies: (screen, needed, { hostType }) =>
        hostType === 'html'
          ? needed
          : needed.filter(
              file =>
                !alwaysLoaded.test(file) && (openedInAHurry.test(screen) || file.endsWith('.css')),
            ),
    },
    rolldownOptions: {
      output: {
        // Short hashes: each first load contains these names, and hashes do not compress. Six characters would
        // allow only 64 files.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          // Libraries of every screen, which seldom change, in one file: it stays cached when only our own code
          // changes, and compresses better than several files.
          groups: [
            { name: 'vendor', test: everyScreenNeeds },
            { name: 'index', test: entry },
            { name: 'team', test: everyTeamNeeds, includeDependenciesRecursively: false },
            { name: 'lists', test: everyListNeeds },
            { name: 'laps', test: aboutLaps },
            { name: 'phone', test: aboutThePhone },
            { name: 'drive', test: aboutTheDrive, includeDependenciesRecursively: false },
            { name: 'circuits', test: drawnCircuits },
            // A screen with a field loads a little more.
            { name: 'forms', test: signInAndForms, includeDependenciesRecursively: false },
            { name: 'passkeys', test: aboutPasskeys, includeDependenciesRecursively: false },
            { name: 'supportConnections', test: supportConnections },
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
