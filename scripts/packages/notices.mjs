// Writes the third-party notices that the licences of bundled packages require.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.mjs'

const mit = `MIT License

COPYRIGHT

Permission is hereby granted, free of charge, to any person obtaining a copy
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

const isc = `ISC License

COPYRIGHT

Permission to use, copy, modify, and/or distribute this software for any
purpose with or without fee is hereby granted, provided that the above
copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES
WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR
ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES
WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN
ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR
IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`

const rrweb =
  'Copyright (c) 2018 Contributors (https://github.com/rrweb-io/rrweb/graphs/contributors) and SmartX Inc.'

/** Licence texts of packages published without a licence file. */
const texts = {
  '@rrweb/record': withCopyright(mit, rrweb),
  '@rrweb/replay': withCopyright(mit, rrweb),
  'abstract-logging': withCopyright(mit, 'Copyright (c) James Sumners'),
  'agent-base': withCopyright(mit, 'Copyright (c) 2013 Nathan Rajlich'),
  'files-sdk': withCopyright(mit, 'Copyright (c) Hayden Bleasel'),
  http_ece: withCopyright(mit, 'Copyright (c) Martin Thomson and contributors'),
  'https-proxy-agent': withCopyright(mit, 'Copyright (c) 2013 Nathan Rajlich'),
  'pg-types': withCopyright(mit, 'Copyright (c) 2014 Brian M. Carlson'),
  pgpass: withCopyright(mit, 'Copyright (c) 2013-2016 Hannes Hörl'),
  'qrcode-generator': withCopyright(mit, 'Copyright (c) 2009 Kazuhiko Arase'),
  // A fork of sax.
  saxes: withCopyright(
    isc,
    'Copyright (c) Contributors\nCopyright (c) Isaac Z. Schlueter and Contributors',
  ),
}

const outlines = 'Circuit outlines: © OpenStreetMap contributors, Open Database License 1.0.'
const webTitle = `# Third-party notices

Pitboard's web app contains the following packages. ${outlines}
`
const serverTitle = `# Third-party notices

Pitboard's server contains the following packages, unchanged. ${outlines}
`

/**
 * Merges the lists written by the builds of the app and of its service worker into
 * `third-party-notices.txt` in the web folder. Throws if the notice of a package is missing.
 * @param {string} folder The built web app.
 */
export function writeWebNotices(folder) {
  const lists = ['third-party-notices.md', 'third-party-notices-worker.md']
    .map(name => join(folder, name))
    .filter(file => existsSync(file))
  const packages = lists.flatMap(file => packagesIn(readFileSync(file, 'utf8')))
  write(folder, webTitle, packages)
  for (const file of lists) rmSync(file)
}

/**
 * Writes `third-party-notices.txt` beside the programs of the server, with the URL of each package's source, which
 * MPL-2.0 requires. Throws if the notice of a package is missing.
 * @param {string} folder The built server.
 * @param {import('esbuild').Metafile} metafile esbuild's list of the bundled files.
 */
export function writeServerNotices(folder, { outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.keys(inputs).filter(file => inputs[file].bytesInOutput > 0),
  )
  const folders = files.flatMap(
    file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [],
  )
  write(folder, serverTitle, [...new Set(folders)].map(packageAt))
}

function write(folder, title, packages) {
  if (packages.length === 0) throw new Error('The build listed no third-party package')
  packages.sort((a, b) => a.heading.localeCompare(b.heading, 'en'))
  const sections = packages.map(
    ({ name, heading, text, source = '' }) => `\n## ${heading}\n\n${source}${textOf(name, text)}\n`,
  )
  writeFileSync(join(folder, 'third-party-notices.txt'), title + [...new Set(sections)].join(''))
}

/** Reads the notices of an installed package. */
function packageAt(folder) {
  const path = join(root, folder)
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const files = readdirSync(path).filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
  return {
    name,
    heading: `${name} - ${version} (${license})`,
    text: files.map(file => readFileSync(join(path, file), 'utf8').trim()).join('\n\n'),
    source: `Source: https://www.npmjs.com/package/${name}/v/${version}\n\n`,
  }
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
  const own = texts[name]
  if (!own)
    throw new Error(`No licence text for ${name}: add its copyright to ${import.meta.filename}`)
  return own
}

function withCopyright(licence, copyright) {
  return licence.replace('COPYRIGHT', copyright)
}
