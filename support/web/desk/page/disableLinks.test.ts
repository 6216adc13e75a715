import { expect, test } from 'vitest'
import { disableLinks } from './disableLinks.ts'
import type { PageEvent } from './pageEvents.ts'

const href = 'https://elsewhere.example'

/** A full snapshot with one link in a nested frame. */
function page(attributes: object): PageEvent {
  const link = { type: 2, id: 3, tagName: 'link', attributes }
  const frame = { type: 0, id: 2, childNodes: [link] }
  const event = { type: 2, timestamp: 1, data: { node: { type: 0, id: 1, childNodes: [frame] } } }
  return event as unknown as PageEvent
}

/** A change that adds a link. */
const added = (attributes: object) =>
  change({
    adds: [{ parentId: 1, nextId: null, node: { type: 2, id: 3, tagName: 'link', attributes } }],
  })

/** A change of a link's attributes. */
const changed = (attributes: object) => change({ attributes: [{ id: 3, attributes }] })

function change(data: object): PageEvent {
  return { type: 3, timestamp: 2, data: { source: 0, ...data } } as unknown as PageEvent
}

const ways = [page, added, changed]

test.each([
  ['preconnect', { rel: 'preconnect' }, {}],
  ['dns-prefetch', { rel: 'dns-prefetch' }, {}],
  ['a style sheet with a second keyword', { rel: 'stylesheet preconnect' }, {}],
  ['an upper-case attribute', { REL: 'preconnect' }, {}],
  ['a duplicate attribute', { rel: 'stylesheet', Rel: 'preconnect' }, { rel: 'stylesheet' }],
  ['a list', { rel: ['preconnect'] }, {}],
])('a link to another host is disabled: %s', (_what, rel, left) => {
  for (const way of ways)
    expect(disableLinks([way({ ...rel, href })])).toEqual([way({ ...left, href })])
})

test.each([
  ['with a URL', { rel: 'stylesheet', href: '/a.css' }],
  ['with inlined rules', { _cssText: 'p{}', media: 'print' }],
])('a style sheet is kept: %s', (_what, attributes) => {
  for (const way of ways) expect(disableLinks([way({ ...attributes })])).toEqual([way(attributes)])
})

test('a deeply nested page does not overflow the stack', () => {
  const attributes = { rel: 'preconnect' }
  let element: object = { attributes }
  for (let depth = 0; depth < 100_000; depth++) element = { childNodes: [element] }
  disableLinks([change({ adds: [{ node: element }] })])
  expect(attributes).toEqual({})
})
