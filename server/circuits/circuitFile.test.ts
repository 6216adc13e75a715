import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import { maxCircuitFileLetters } from '#contract/shared/circuits/circuitRules.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { distanceM, type Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, trackOf } from '#contract/shared/track.ts'
import { readCircuitFile } from '#racing/formats/circuitFile.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { longestPause } from '#testing/files/longestPause.ts'
import type { Person } from '#testing/people/person.ts'

let app: TestApp
let ana: Person
let teamId: TeamId
beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana')
  teamId = (await ana.call.teams.create({ name: 'Night Owls' })).id
})
afterAll(() => app[Symbol.asyncDispose]())

/** Imports a file, without the limit of calls: each login has its own. */
async function imported(file: string) {
  return ana.call.circuits.import({ teamId, name: 'Oval', file })
}

/** An ellipse of 900 m. */
function oval(points = 60): Position[] {
  return Array.from({ length: points }, (_, index) => ({
    latitude: 50 + 0.001 * Math.sin((index * 2 * Math.PI) / points),
    longitude: 5 + 0.0024 * Math.cos((index * 2 * Math.PI) / points),
  }))
}

const pair = ({ latitude, longitude }: Position) => [longitude, latitude]

function collection(outline: readonly Position[], ...points: [string, Position][]) {
  const feature = (geometry: object, name?: string) => ({
    type: 'Feature',
    geometry,
    properties: name ? { name } : null,
  })
  return JSON.stringify({
    type: 'FeatureCollection',
    features: [
      ...points.map(([name, at]) => feature({ type: 'Point', coordinates: pair(at) }, name)),
      feature({ type: 'LineString', coordinates: outline.map(pair) }),
    ],
  })
}

async function exported(circuitId: string, format: 'geojson' | 'gpx') {
  const response = await fetch(
    `${app.url}/api/v1/teams/${teamId}/circuits/${circuitId}/${format}`,
    { headers: { cookie: ana.jar.header } },
  )
  expect(response.headers.get('content-disposition')).toContain(`circuit.${format}`)
  return response.text()
}

test('an outline with its gates is imported, and exported in both formats', async () => {
  const outline = oval()
  const [, , , line, , pitIn, pitOut] = outline as [...Position[]]
  const file = collection(outline, ['LINE', line!], ['Pit in', pitIn!], ['Pit out', pitOut!])
  const made = await imported(file)
  expect(made).toMatchObject({
    name: 'Oval',
    source: 'imported',
    version: 1,
    direction: 'anticlockwise',
    lineSource: 'data',
    laps: null,
    attribution: null,
  })
  expect(Math.abs(made.lengthM - 850)).toBeLessThan(100)
  expect(distanceM(made.line, line!)).toBeLessThan(0.1)
  expect(distanceM(made.pitLane!.in, pitIn!)).toBeLessThan(0.1)
  for (const format of ['geojson', 'gpx'] as const) {
    const text = await exported(made.id, format)
    const again = await imported(text)
    expect({ ...again, id: made.id }).toEqual(made)
    // The command for recordings reads the same file.
    const { outline: read, gates } = readCircuitFile(text)
    expect(read).toHaveLength(made.outline.length + 1)
    expect(distanceM(gates.line!, line!)).toBeLessThan(0.1)
    expect(distanceM(gates['pit-in']!, pitIn!)).toBeLessThan(0.1)
  }
})

test('a shipped circuit is exported with its credit', async () => {
  for (const format of ['geojson', 'gpx'] as const) {
    const text = await exported('zolder', format)
    expect(text).toContain('© OpenStreetMap contributors')
    const track = trackOf(readCircuitFile(text).outline)
    expect(Math.max(...zolder.outline.map(at => nearestOnTrack(track, at).offM))).toBeLessThan(0.1)
  }
})

test('an imported circuit is reversed', async () => {
  const { id, outline } = await imported(collection(oval()))
  const reversed = await ana.call.circuits.reverse({ teamId, circuitId: id })
  expect(reversed).toMatchObject({ version: 2, direction: 'clockwise' })
  expect(reversed.outline).toEqual(outline.toReversed())
})

test('names with markup are exported as text', async () => {
  const name = 'A <b> & "C"'
  const { id } = await ana.call.circuits.import({ teamId, name, file: collection(oval()) })
  expect(await exported(id, 'gpx')).toContain('A &lt;b&gt; &amp; "C"')
  expect(JSON.parse(await exported(id, 'geojson')).features[0].properties.name).toBe(name)
})

const polygon = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  ['an empty file', '', 'circuit-unreadable'],
  ['a picture', '\x89PNG\r\n', 'circuit-unreadable'],
  ['JSON without a line', '{"type":"Feature","geometry":null}', 'circuit-without-line'],
  ['null', 'null', 'circuit-without-line'],
  ['a prototype', '{"__proto__":{"type":"LineString"}}', 'circuit-without-line'],
  [
    'texts as coordinates',
    '{"type":"LineString","coordinates":[["5","50"],["5.1","50"],["5","50.1"]]}',
    'circuit-without-line',
  ],
  [
    'a place off the earth',
    '{"type":"LineString","coordinates":[[5,50],[5,91],[5,50.1]]}',
    'circuit-without-line',
  ],
  ['deep arrays', `{"type":"Polygon","coordinates":${polygon(200_000)}}`, 'circuit-without-line'],
  [
    'deep features',
    '{"type":"Feature","geometry":'.repeat(20_000) + 'null' + '}'.repeat(20_000),
    'circuit-without-line',
  ],
  ['a broken GPX file', '<gpx><trk>', 'circuit-unreadable'],
  [
    'XML entities',
    '<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><gpx><wpt lat="1" lon="1"><name>&b;</name></wpt></gpx>',
    'circuit-unreadable',
  ],
  ['a GPX file without a track', '<gpx></gpx>', 'circuit-without-line'],
  ['an open line', collection(oval().slice(0, 40)), 'circuit-open'],
  [
    'a circuit of the size of a garden',
    collection(
      oval()
        .map(({ latitude, longitude }) => ({ latitude, longitude: longitude / 100 }))
        .map(({ latitude, longitude }) => ({ latitude: (latitude - 50) / 100, longitude })),
    ),
    'circuit-length',
  ],
  [
    'a line far away',
    collection(oval(), ['Line', { latitude: 51, longitude: 5 }]),
    'circuit-too-far',
  ],
  ['too many points', collection(oval(20_010)), 'circuit-without-line'],
])('%s is refused with a sentence', async (_what, file, detail) => {
  const stranger = await app.person('Eve')
  const team = await stranger.call.teams.create({ name: 'Own' })
  await expect(
    stranger.call.circuits.import({ teamId: team.id, name: 'X', file }),
  ).rejects.toMatchObject({ code: 'invalid-input', detail })
})

test.each([
  ['open tags', '<a>'.repeat(333_000)],
  ['an array of numbers', `[${'1,'.repeat(499_000)}1]`],
  ['many keys', `{${Array.from({ length: 70_000 }, (_, n) => `"${n}":1`).join(',')}}`],
  ['deep arrays', '['.repeat(400_000) + ']'.repeat(400_000)],
])('reading %s leaves the server free', async (_what, file) => {
  const eve = await app.person('Eve')
  const team = await eve.call.teams.create({ name: 'Own' })
  const pauses = longestPause()
  await expect(
    eve.call.circuits.import({ teamId: team.id, name: 'X', file }),
  ).rejects.toMatchObject({ code: 'invalid-input' })
  const { longestMs, wholeMs } = pauses.end()
  // Relative to the whole time, because the machine may be busy. Reading in this thread would be one long pause.
  expect(longestMs).toBeLessThan(wholeMs / 2)
})

test('a file that is too long is refused before it is read', async () => {
  await expect(imported(' '.repeat(maxCircuitFileLetters + 1))).rejects.toMatchObject({
    code: 'invalid-input',
  })
  await expect(imported(' '.repeat(3 * maxCircuitFileLetters))).rejects.toMatchObject({
    code: 'too-large',
  })
})

test.each([
  ['numbers', `[${'1,'.repeat(400_000)}1]`],
  ['arrays', '['.repeat(400_000) + ']'.repeat(400_000)],
  ['texts', `["\\\\",${'"",'.repeat(200_000)}""]`],
  ['keys', `{${Array.from({ length: 90_000 }, (_, n) => `"${n}":{}`).join(',')}}`],
])('a body with many %s is refused before it is parsed', async (_what, values) => {
  const { call, jar } = await app.person('Eve')
  const team = await call.teams.create({ name: 'Own' })
  const valid = JSON.stringify({ teamId: team.id, name: 'Oval', file: collection(oval()) })
  const headers = {
    cookie: jar.header,
    'x-xsrf-token': jar.get('XSRF-TOKEN') ?? '',
    'content-type': 'application/json',
  }
  const post = (body: string) =>
    fetch(`${app.url}/api/circuits.import`, { method: 'POST', headers, body })
  expect((await post(valid.replace('{', `{"other":${values},`))).status).toBe(400)
  expect((await post(valid.replace('{', `{"other":${JSON.stringify(values)},`))).status).toBe(200)
})

test('a team imports a hundred circuits at most', async () => {
  const { id } = await imported(collection(oval()))
  const { db } = app.database
  const row = await db
    .selectFrom('circuits')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('circuits')
    .values(Array.from({ length: 100 }, (_, index) => ({ ...row, id: `copy-${index}` })))
    .execute()
  await expect(imported(collection(oval()))).rejects.toMatchObject({ detail: 'circuits-too-many' })
})
