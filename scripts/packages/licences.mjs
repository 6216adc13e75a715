// Part of npm run check: finds packages whose licence is incompatible with a product under the MIT licence.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

/** Licences of code that may be shipped. OFL-1.1 is the font's licence. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Public Domain',
  'Unlicense',
])

/** Licences of tools: allowed on a developer's machine or unchanged in the server, never in the web bundle. */
const fileLevelCopyleft = new Set(['MPL-2.0', 'CC-BY-4.0', 'Python-2.0'])

/** Packages with such a licence that only the server contains, unchanged. Its notices link to their source. */
const serverOnly = new Set(['web-push'])

/**
 * libvips (LGPL-3.0-or-later), which decodes uploaded pictures for sharp. The licence allows use by code of any
 * licence if users can replace the library: it is loaded dynamically from node_modules, unchanged, and never
 * bundled.
 */
const dynamicLibrary = /^@img\/sharp-(libvips-|win32-|wasm32$)/

/** Licences of packages without one in the lock file, read from their own files. */
const checkedByHand = { 'xmlhttprequest-ssl': 'MIT' }

/** Returns names and licences of packages in the lock file that are not allowed. */
export function refusedLicences() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  if (installed.length === 0) throw new Error('The lock file lists no package')
  return installed
    .map(([path, { license, dev }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { name, licence: license ?? checkedByHand[name], dev: dev === true }
    })
    .filter(one => !isAccepted(one))
}

/** `A OR B` needs one accepted licence, `A AND B` both. */
function isAccepted({ name, licence, dev }) {
  if (typeof licence !== 'string') return false
  const accepts = one =>
    permissive.has(one) ||
    ((dev || serverOnly.has(name)) && fileLevelCopyleft.has(one)) ||
    (one === 'LGPL-3.0-or-later' && dynamicLibrary.test(name))
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(option => option.split(' AND ').every(accepts))
}
