import { SaxesParser } from 'saxes'
import { expect } from 'vitest'

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

/** Parses a document with its namespaces; throws if it is not well-formed. */
function parsed(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', error => {
    throw error
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    const values = Object.values(attributes).map(({ local: key, value }) => [key, value])
    const element = {
      name: uri === 'http://www.topografix.com/GPX/1/1' ? local : `other:${local}`,
      attributes: Object.fromEntries(values) as Record<string, string>,
      children: [],
      text: '',
    }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('text', part => {
    open.at(-1)!.text += part
  })
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return root.children[0]!
}

const names = ({ children }: Element) => children.map(({ name }) => name)

/** Expects the structure of the GPX 1.1 schema, with one track. Returns the number of points in each segment. */
export function checkGpx(text: string, title: string): number[] {
  const gpx = parsed(text)
  expect(gpx.name).toBe('gpx')
  expect(gpx.attributes).toMatchObject({ version: '1.1', creator: 'Pitboard' })
  expect(names(gpx)).toEqual(['metadata', 'trk'])
  const [metadata, track] = gpx.children as [Element, Element]
  expect(names(metadata)).toEqual(['name', 'time'])
  expect(metadata.children[0]?.text).toBe(title)
  // The schema's order: name, then segments.
  const [name, ...segments] = track.children
  expect(name?.name).toBe('name')
  expect(new Set(segments.map(segment => segment.name))).toEqual(new Set(['trkseg']))
  const points = segments.flatMap(({ children }) => children)
  for (const point of points) {
    expect(point.name).toBe('trkpt')
    expect(Object.keys(point.attributes).sort()).toEqual(['lat', 'lon'])
    expect(Math.abs(Number(point.attributes.lat))).toBeLessThanOrEqual(90)
    expect(Number(point.attributes.lon)).toBeGreaterThanOrEqual(-180)
    expect(Number(point.attributes.lon)).toBeLessThan(180)
    expect(names(point)).toEqual(['time', 'extensions'])
    expect(point.children[0]?.text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    for (const extension of point.children[1]!.children) {
      expect(extension.name).toMatch(/^other:(TrackPointExtension|accuracy)$/)
      for (const value of names(extension)) expect(value).toMatch(/^other:(speed|course)$/)
    }
  }
  return segments.map(({ children }) => children.length)
}
