/** Shows the part of a page that the hash of its URL names, once it is drawn: the ref of an element with this id. */
export function showLinked(part: HTMLElement | null) {
  if (!part || location.hash !== `#${part.id}`) return
  const folded = part.closest('details')
  if (folded) folded.open = true
  part.scrollIntoView()
}
