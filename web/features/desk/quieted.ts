import type { PageEvent } from './pageEvents.ts'

/**
 * Takes from events what lets a browser reach for another host past the content security policy of the view:
 * `<link>` elements that are no style sheets (`preconnect`, `dns-prefetch`). Without a `rel` a link does nothing, so
 * every other one is taken off, of whatever it is: the element itself stays, since its neighbours are placed by it.
 * The events themselves are changed.
 */
export function quieted(events: PageEvent[]): PageEvent[] {
  const left: object[] = [...events]
  // Not by recursion: a page may lie about how deep it is.
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    // Of an element that is added, or of one that changes.
    if ('attributes' in value && isObject(value.attributes)) quiet(value.attributes)
    for (const each of Object.values(value)) if (isObject(each)) left.push(each)
  }
  return events
}

function quiet(attributes: object) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.toLowerCase() === 'rel' && value !== 'stylesheet')
      Reflect.deleteProperty(attributes, name)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
