import type { PageEvent } from './pageEvents.ts'

/**
 * Takes from events what makes a browser reach for another host although the content security policy of the view
 * forbids it: `<link>` elements (`preconnect`, `dns-prefetch`) are not under it. Those that are no style sheets
 * stay where they are without any attribute, since what stands beside them is placed by them; none changes
 * afterwards what it is. The events themselves are changed.
 */
export function quieted(events: PageEvent[]): PageEvent[] {
  const left: unknown[] = [...events]
  // Not by recursion: a page may lie about how deep it is.
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (hasAttributes(value)) quiet(value)
    if (isObject(value))
      for (const each of Object.values(value)) if (isObject(each)) left.push(each)
  }
  return events
}

/** An element that is added, or what changes of one. */
interface WithAttributes {
  tagName?: unknown
  attributes: Record<string, unknown>
}

function quiet(element: WithAttributes) {
  const { tagName, attributes } = element
  const rels = Object.keys(attributes).filter(name => name.toLowerCase() === 'rel')
  if (tagName === undefined) {
    for (const name of rels) delete attributes[name]
  } else if (String(tagName).toLowerCase() === 'link') {
    // Without a word of what it is it does nothing. So come style sheets whose rules came along.
    if (rels.some(name => attributes[name] !== 'stylesheet')) element.attributes = {}
  }
}

function hasAttributes(value: unknown): value is WithAttributes {
  return isObject(value) && 'attributes' in value && isObject(value.attributes)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
