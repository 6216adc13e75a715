// Writes the third-party notices that the licences of bundled packages require.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const mit = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`

const rrweb =
  'Copyright (c) 2018 Contributors (https://github.com/rrweb-io/rrweb/graphs/contributors) and SmartX Inc.'

/** Copyright lines of MIT packages published without a licence file. */
const copyrights = {
  '@rrweb/record': rrweb,
  '@rrweb/replay': rrweb,
  'qrcode-generator': 'Copyright (c) 2009 Kazuhiko Arase',
}

const title = `# Third-party notices

Pitboard's web app contains the following packages. Circuit outlines: © OpenStreetMap contributors,
Open Database License 1.0.
`

/**
 * Merges the lists written by the builds of the app and of its service worker into
 * `third-party-notices.txt` in the web folder. Throws if the notice of a package is missing.
 * @param {string} folder The built web app.
 */
export function writeNotices(folder) {
  const lists = ['third-party-notices.md', 'third-party-notices-worker.md']
    .map(name => join(folder, name))
    .filter(file => existsSync(file))
  const packages = lists.flatMap(file => packagesIn(readFileSync(file, 'utf8')))
  if (packages.length === 0) throw new Error('The build listed no third-party package')
  packages.sort((a, b) => a.heading.localeCompare(b.heading, 'en'))
  const sections = packages.map(
    ({ name, heading, text }) => `\n## ${heading}\n\n${textOf(name, text)}\n`,
  )
  writeFileSync(join(folder, 'third-party-notices.txt'), title + [...new Set(sections)].join(''))
  for (const file of lists) rmSync(file)
}

/** Parses sections such as `## react - 19.3.1 (MIT)` followed by the licence text. */
function packagesIn(list) {
  return list
    .split(/^## /m)
    .slice(1)
    .map(section => {
      const [heading = '', ...lines] = section.split('\n')
      return { name: heading.split(' - ')[0] ?? '', heading, text: lines.join('\n').trim() }
    })
}

function textOf(name, text) {
  if (text !== '') return text
  const copyright = copyrights[name]
  if (!copyright)
    throw new Error(`No licence text for ${name}: add its copyright to ${import.meta.filename}`)
  return `MIT License\n\n${copyright}\n\n${mit}`
}
