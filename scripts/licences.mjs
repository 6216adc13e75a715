// Part of npm run check: finds packages whose licence does not fit a product under the MIT licence.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.mjs'

/** May be part of what is shipped. OFL-1.1 is the font's. */
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

/** May run on a developer's machine or unchanged on the server, but never in the web bundle. */
const fileLevelCopyleft = new Set(['MPL-2.0', 'CC-BY-4.0', 'Python-2.0'])

/**
 * libvips (LGPL-3.0-or-later), which decodes uploaded pictures for sharp. The licence permits it next to code
 * of any licence as a separate library that anybody may replace: it is loaded dynamically from node_modules,
 * unchanged, and is no part of a bundle.
 */
const dynamicLibrary = /^@img\/sharp-(libvips-|win32-|wasm32$)/

/** Packages that name no licence in the lock file, with what their own files say. */
const checkedByHand = { 'xmlhttprequest-ssl': 'MIT' }

/** Names and licences of packages that may not be used, by the lock file. */
export function refusedLicences() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  if (installed.length === 0) throw new Error('The lock file names no package.')
  return installed
    .map(([path, { license, dev }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { name, licence: license ?? checkedByHand[name], dev: dev === true }
    })
    .filter(one => !isAccepted(one))
}

/** Of `A OR B` one must be accepted, of `A AND B` both. */
function isAccepted({ name, licence, dev }) {
  if (typeof licence !== 'string') return false
  const accepts = one =>
    permissive.has(one) ||
    (dev && fileLevelCopyleft.has(one)) ||
    (one === 'LGPL-3.0-or-later' && dynamicLibrary.test(name))
  return licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(option => option.split(' AND ').every(accepts))
}
