import { createHash } from 'node:crypto'
import { Html, html } from '../mail/html.ts'
import type { Authority } from './authority.ts'

/** Paths of the root certificate: as a profile for an iPhone, and as a file for everything else. */
export const profilePath = '/pitboard.mobileconfig'
export const certificatePath = '/pitboard.crt'
/** Path of the app's font. */
export const fontPath = '/archivo.woff2'

/** The page on which a phone learns to trust this paddock, with its content security policy. */
export function trustPage(
  authority: Pick<Authority, 'name' | 'fingerprint'>,
  { origin, userAgent = '' }: { origin: string; userAgent?: string | undefined },
) {
  const device = deviceOf(userAgent)
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>Trust this paddock - Pitboard</title>
<style>${new Html(styles)}</style>
</head>
<body>
<header>${new Html(mark)}Pitboard</header>
<main id="steps">
<h1>Trust this paddock</h1>
<p class="sub">Once on this device. Without it a phone gives no location and keeps no app.</p>
<form>
${devices.map(each => {
  const checked = each.id === device ? new Html(' checked') : ''
  return html`<input type="radio" name="device" id="${each.id}"${checked}><label for="${each.id}">${each.label}</label>`
})}
${devices.map(each => stepsOf(each, authority.name))}
</form>
<p class="fingerprint"><small>Compare with the laptop</small><b>${authority.fingerprint}</b></p>
<p class="note">It is good only for addresses of local networks. It cannot open your bank or your mail.</p>
</main>
<main id="ready" hidden>
<section><b>Ready</b><h1>This device trusts the paddock</h1></section>
<a class="button" id="open" href="${origin}/">Open Pitboard</a>
</main>
<script>${new Html(script)}</script>
</body>
</html>
`.text
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(styles)}'`,
    "font-src 'self'",
    `script-src '${hashOf(script)}'`,
    `connect-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return { page, policy }
}

/** The root certificate as a configuration profile, which an iPhone offers to install. */
export function profile({
  name,
  der,
  fingerprint,
}: Pick<Authority, 'name' | 'der' | 'fingerprint'>) {
  const id = `org.pitboard.paddock.${fingerprint.replaceAll(' ', '').toLowerCase()}`
  const uuid = (part: string) => uuidOf(id + part)
  return html`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
<key>PayloadType</key><string>Configuration</string>
<key>PayloadVersion</key><integer>1</integer>
<key>PayloadIdentifier</key><string>${id}</string>
<key>PayloadUUID</key><string>${uuid('')}</string>
<key>PayloadDisplayName</key><string>${name}</string>
<key>PayloadDescription</key><string>Trusts this paddock, only for addresses of local networks.</string>
<key>PayloadContent</key>
<array>
<dict>
<key>PayloadType</key><string>com.apple.security.root</string>
<key>PayloadVersion</key><integer>1</integer>
<key>PayloadIdentifier</key><string>${id}.root</string>
<key>PayloadUUID</key><string>${uuid('root')}</string>
<key>PayloadDisplayName</key><string>${name}</string>
<key>PayloadCertificateFileName</key><string>pitboard.crt</string>
<key>PayloadContent</key><data>${der.toString('base64')}</data>
</dict>
</array>
</dict>
</plist>
`.text
}

interface Device {
  id: string
  label: string
  path: string
  /** Each step: the tap, and its detail. */
  steps(name: string): (readonly [string, string])[]
}

const comeBack = ['Come back here', 'This page goes on by itself'] as const

const devices: Device[] = [
  {
    id: 'iphone',
    label: 'iPhone',
    path: profilePath,
    steps: name => [
      ['Download the profile', 'In Safari, which asks: Allow'],
      ['Settings, Profile Downloaded', 'Install, your code, Install'],
      ['General, About, Certificate Trust Settings', `Turn on ${name}`],
      comeBack,
    ],
  },
  {
    id: 'android',
    label: 'Android',
    path: certificatePath,
    steps: () => [
      ['Download the certificate', 'In Chrome: pitboard.crt'],
      ['Settings, search "CA certificate"', 'Install anyway'],
      ['Choose pitboard.crt', 'In Downloads'],
      comeBack,
    ],
  },
  {
    id: 'computer',
    label: 'Computer',
    path: certificatePath,
    steps: () => [
      ['Download the certificate', 'pitboard.crt'],
      [
        'Open it, and trust it for web sites',
        'Mac: Keychain Access, Always Trust. Windows: Trusted Root Certification Authorities. Firefox, and Chrome on Linux: settings of the browser, Certificates',
      ],
      comeBack,
    ],
  },
]

function stepsOf({ id, path, steps }: Device, name: string): Html {
  return html`<div class="${id}"><ol>${steps(name).map(
    ([step, detail]) => html`<li><span><b>${step}</b><small>${detail}</small></span></li>`,
  )}</ol><a class="button" href="${path}">Download</a></div>
`
}

function deviceOf(userAgent: string): string {
  if (/Android/i.test(userAgent)) return 'android'
  return /iPhone|iPad|iPod/i.test(userAgent) ? 'iphone' : 'computer'
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** The same for the same text, so that a profile that is installed again replaces itself. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
    .join('-')
    .toUpperCase()
}

/** Reaches the app over HTTPS as soon as the device trusts it. */
const script = `
const address = document.getElementById('open').href
const look = () =>
  fetch(new URL('healthz', address), { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
    () => {
      document.getElementById('steps').hidden = true
      document.getElementById('ready').hidden = false
    },
    () => setTimeout(look, 2000),
  )
look()
`

/** The mark of the app. */
const mark =
  '<svg viewBox="104 64 310 384" width="24" height="30" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="M122 76h244a36 36 0 0 1 36 36v176a36 36 0 0 1-36 36H174v106a6 6 0 0 1-6 6h-46a6 6 0 0 1-6-6V82a6 6 0 0 1 6-6z M174 210h176v66H174z"/><path fill="#ffd814" d="M174 126h176v66H174z"/></svg>'

const styles = `
@font-face { font-family: Archivo; src: url(${fontPath}) format("woff2-variations"); font-weight: 100 900; font-stretch: 62% 125%; font-display: swap; }
:root { color-scheme: light dark; background: #eceeea; color: #0b0e0c; font: 430 17px/1.45 Archivo, system-ui, sans-serif; --line: #c9cdc6; --board: #fff; --quiet: #555b57; }
@media (prefers-color-scheme: dark) { :root { background: #0a0c0b; color: #f3f5f1; --line: #323733; --board: #161a18; --quiet: #a4aaa6; } }
body { margin: 0; }
header { display: flex; align-items: center; gap: 10px; max-width: 440px; margin: 0 auto; padding: 16px 20px 0; font-size: 26px; font-weight: 720; font-stretch: 78%; }
main { max-width: 440px; margin: 0 auto; padding: 24px 20px; overflow-wrap: anywhere; }
[hidden] { display: none; }
h1 { margin: 0 0 8px; font-size: 44px; font-weight: 720; font-stretch: 70%; line-height: 1.08; }
p { margin: 0 0 18px; }
small, .note, .sub { color: var(--quiet); font-size: 15px; }
small { display: block; }
input { position: absolute; opacity: 0; }
label { display: inline-grid; margin-right: 6px; place-items: center; min-height: 48px; padding: 0 16px; border: 1px solid var(--line); border-radius: 8px; font-weight: 600; cursor: pointer; }
input:checked + label { background: #0b0e0c; color: #fff; }
input:focus-visible + label { outline: 3px solid #2f6fed; outline-offset: 2px; }
form > div { display: none; }
#iphone:checked ~ .iphone, #android:checked ~ .android, #computer:checked ~ .computer { display: block; }
ol { margin: 18px 0; padding: 0; list-style: none; counter-reset: step; border: 1px solid var(--line); border-radius: 12px; background: var(--board); }
li { display: flex; gap: 14px; align-items: center; padding: 14px 16px; counter-increment: step; }
li + li { border-top: 1px solid var(--line); }
li::before { content: counter(step); flex: none; display: grid; place-items: center; width: 32px; height: 32px; border: 2px solid currentColor; border-radius: 50%; font-weight: 700; }
.button { display: grid; place-items: center; min-height: 56px; margin-bottom: 18px; border-radius: 8px; background: #ffd814; color: #0b0e0c; font-weight: 700; text-decoration: none; }
.fingerprint b { font: 700 20px/1.4 ui-monospace, monospace; }
section { margin-bottom: 18px; padding: 24px 20px; border-radius: 12px; background: #0b0e0c; color: #fff; }
section b { font-size: 72px; font-weight: 640; font-stretch: 62%; letter-spacing: .045em; line-height: 1.1; text-transform: uppercase; }
section h1 { margin: 8px 0 0; font-size: 20px; }
@media (prefers-color-scheme: dark) { input:checked + label { background: #f3f5f1; color: #0b0e0c; } section { background: #161a18; } }
`
