import { SourceMap } from 'node:module'
import { encode } from '@jridgewell/sourcemap-codec'
import { expect, test } from 'vitest'
import { ownMappings } from './ownMappings.mjs'

test('only places in own sources are mapped', () => {
  const mappings = encode([
    [[0, 1, 3, 0]],
    [[4, 0, 0, 2]],
    [],
    [[0, 0, 2, 0]],
    [
      [2, 1, 7, 0],
      [9, 1, 8, 0],
    ],
    [[0, 0, 5, 0]],
  ])
  const sources = ['../../server/main.ts', '../../node_modules/pg/lib/client.js']
  const map = ownMappings({ version: 3, file: 'main.js', names: [], sources, mappings })
  const read = new SourceMap({ ...map, sourcesContent: [], sourceRoot: '' })
  const lineOf = (line: number, column: number) => {
    const place = read.findEntry(line, column)
    return 'originalSource' in place && place.originalSource ? place.originalLine : null
  }
  const places = [0, 1, 3, 4, 5].map(line => lineOf(line, 4))
  expect(places).toEqual([null, 0, 2, null, 5])
  expect(lineOf(4, 20)).toBeNull()
  expect(map.mappings.length).toBeLessThan(mappings.length)
})
