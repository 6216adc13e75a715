import type { PageEvent } from './pageEvents.ts'

/**
 * Disables `<link>` elements that are not style sheets (`preconnect`, `dns-prefetch`), because they let
 * the view contact other hosts despite its content security policy. Removes only their `rel`, without
 * which a link does nothing: the element stays, because rrweb places its siblings by it. Changes the
 * events in place.
 */
export function disableLinks(events: PageEvent[]): PageEvent[] {
  const stack: object[] = [...events]
  // Iterative, because a malicious page may be nested arbitrarily deep.
  for (let value = stack.pop(); value !== undefined; value = stack.pop()) {
    // Attributes of an added element, or changes of attributes.
    if ('attributes' in value && isObject(value.attributes)) removeRel(value.attributes)
    for (const each of Object.values(value)) if (isObject(each)) stack.push(each)
  }
  return events
}

function removeRel(attributes: object) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.toLowerCase() === 'rel' && value !== 'stylesheet')
      Reflect.deleteProperty(attributes, name)
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
