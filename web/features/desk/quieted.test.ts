import { expect, test } from 'vitest'
import type { PageEvent } from './pageEvents.ts'
import { quieted } from './quieted.ts'

const href = 'https://elsewhere.example'

/** The whole page with one link in it, in a frame within it. */
function page(attributes: object): PageEvent {
  const link = { type: 2, id: 3, tagName: 'link', attributes }
  const frame = { type: 0, id: 2, childNodes: [link] }
  const event = { type: 2, timestamp: 1, data: { node: { type: 0, id: 1, childNodes: [frame] } } }
  return event as unknown as PageEvent
}

/** A link that is added later. */
const added = (attributes: object) =>
  change({
    adds: [{ parentId: 1, nextId: null, node: { type: 2, id: 3, tagName: 'link', attributes } }],
  })

/** A link that becomes something else. */
const changed = (attributes: object) => change({ attributes: [{ id: 3, attributes }] })

function change(data: object): PageEvent {
  return { type: 3, timestamp: 2, data: { source: 0, ...data } } as unknown as PageEvent
}

const ways = [page, added, changed]

test.each([
  ['preconnect', { rel: 'preconnect' }, {}],
  ['dns-prefetch', { rel: 'dns-prefetch' }, {}],
  ['a style sheet that is more than that', { rel: 'stylesheet preconnect' }, {}],
  ['large letters', { REL: 'preconnect' }, {}],
  ['one kind beside another', { rel: 'stylesheet', Rel: 'preconnect' }, { rel: 'stylesheet' }],
  ['a list', { rel: ['preconnect'] }, {}],
])('a link to another host does nothing: %s', (_what, rel, left) => {
  for (const way of ways) expect(quieted([way({ ...rel, href })])).toEqual([way({ ...left, href })])
})

test.each([
  ['from an address', { rel: 'stylesheet', href: '/a.css' }],
  ['whose rules came along', { _cssText: 'p{}', media: 'print' }],
])('a style sheet stays: %s', (_what, attributes) => {
  for (const way of ways) expect(quieted([way({ ...attributes })])).toEqual([way(attributes)])
})

test('a page however deep is gone through', () => {
  const attributes = { rel: 'preconnect' }
  let element: object = { attributes }
  for (let depth = 0; depth < 100_000; depth++) element = { childNodes: [element] }
  quieted([change({ adds: [{ node: element }] })])
  expect(attributes).toEqual({})
})
