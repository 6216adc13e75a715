import { expect, test } from 'vitest'
import type { PageEvent } from './pageEvents.ts'
import { quieted } from './quieted.ts'

const link = (attributes: object, tagName = 'link') => ({ type: 2, id: 3, tagName, attributes })
const host = { href: 'https://elsewhere.example' }

/** The whole page with one element in it, in a frame within it. */
function page(element: object): PageEvent {
  const frame = { type: 0, id: 2, childNodes: [element] }
  const event = { type: 2, timestamp: 1, data: { node: { type: 0, id: 1, childNodes: [frame] } } }
  return event as unknown as PageEvent
}

function change(data: object): PageEvent {
  return { type: 3, timestamp: 2, data: { source: 0, ...data } } as unknown as PageEvent
}

test.each([
  ['preconnect', link({ rel: 'preconnect', ...host })],
  ['dns-prefetch', link({ rel: 'dns-prefetch', ...host })],
  ['a style sheet that is more than that', link({ rel: 'stylesheet preconnect', ...host })],
  ['two kinds by letter case', link({ rel: 'stylesheet', REL: 'preconnect', ...host })],
  ['large letters', link({ rel: 'preconnect', ...host }, 'LINK')],
])('a link to another host does nothing: %s', (_what, element) => {
  const silent = { ...element, attributes: {} }
  expect(quieted([page({ ...element })])).toEqual([page(silent)])
  const added = (node: object) => change({ adds: [{ parentId: 1, nextId: null, node }] })
  expect(quieted([added({ ...element })])).toEqual([added(silent)])
})

test('what is a style sheet stays one, and is nothing else later', () => {
  for (const attributes of [{ rel: 'stylesheet', href: '/a.css' }, { _cssText: 'p{}' }]) {
    expect(quieted([page(link(attributes))])).toEqual([page(link(attributes))])
  }
  const changes = (attributes: object) => change({ attributes: [{ id: 3, attributes }] })
  expect(quieted([changes({ rel: 'preconnect', media: 'print' })])).toEqual([
    changes({ media: 'print' }),
  ])
})

test('other elements keep what they have', () => {
  const anchor = link({ rel: 'noopener', ...host }, 'a')
  expect(quieted([page(anchor)])).toEqual([page(link({ rel: 'noopener', ...host }, 'a'))])
})

test('a page however deep is gone through', () => {
  let element: object = link({ rel: 'preconnect' })
  for (let depth = 0; depth < 100_000; depth++) element = { childNodes: [element] }
  const event = page(element)
  quieted([event])
  let found: unknown = event.data
  while (typeof found === 'object' && found !== null && !('tagName' in found)) {
    found = 'node' in found ? found.node : (found as { childNodes: unknown[] }).childNodes[0]
  }
  expect(found).toMatchObject({ attributes: {} })
})
