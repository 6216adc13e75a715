// Writes the sign-in pages next to index.html of a build: `node scripts/prerender.mjs dist/web`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { root } from './run.mjs'

const folder = join(root, process.argv[2] ?? 'dist/web')
const page = readFileSync(join(folder, 'index.html'), 'utf8')
const assets = readdirSync(join(folder, 'assets'))

// Loads the code of the screen in parallel with the app, instead of after it.
const preloads = ['forms', 'passkeys'].map(
  name => `<link rel="modulepreload" crossorigin href="${assetOf(name, 'js')}">`,
)
const style = assetOf('index', 'css')
const formStyle = assetOf('forms', 'css')

write('sign-in', insert(page, [...preloads, styleLink(formStyle)], ''))

// The page of a first visit also contains the screen and its styles, so that it is painted at once. The disabled link
// is not loaded: it keeps the app from loading the styles once more.
const inlined = page.replace(styleLink(style), `<style>${read(style)}${read(formStyle)}</style>`)
if (inlined === page) throw new Error('index.html does not link its style sheet as expected')
const signInHtml = await loadRenderer()
for (const google of [false, true]) {
  for (const passkeys of [false, true]) {
    const shell = `<div id="prerendered"${google ? ' data-google' : ''}>${signInHtml({ google, passkeys })}</div>`
    const disabled = styleLink(formStyle).replace('>', ' disabled>')
    const name = ['sign-in', 'form', google && 'google', passkeys && 'passkeys'].filter(Boolean)
    write(name.join('-'), insert(inlined, [...preloads, disabled], shell))
  }
}

function write(name, html) {
  writeFileSync(join(folder, `${name}.html`), html)
}

function insert(html, links, shell) {
  return html
    .replace('</head>', () => `${links.join('')}</head>`)
    .replace('<div id="root">', () => `${shell}<div id="root">`)
}

function assetOf(name, extension) {
  const found = assets.filter(
    file => file.startsWith(`${name}-`) && /^-[^.]+\.(js|css)$/.test(file.slice(name.length)),
  )
  const files = found.filter(file => file.endsWith(`.${extension}`))
  if (files.length !== 1) throw new Error(`Expected one ${extension} of ${name}: ${files.join()}`)
  return `/assets/${files[0]}`
}

function styleLink(address) {
  return `<link rel="stylesheet" crossorigin href="${address}">`
}

function read(address) {
  return readFileSync(join(folder, address), 'utf8').trim()
}

/** Loads the renderer from source. It has the class names of the build, because both hash the file's path. */
async function loadRenderer() {
  const vite = await createServer({
    root: join(root, 'web'),
    configFile: join(root, 'vite.config.ts'),
    mode: 'production',
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  const { signInHtml } = await vite.ssrLoadModule('/prerender.tsx')
  await vite.close()
  return signInHtml
}
