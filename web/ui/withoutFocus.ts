import type { MouseEvent } from 'react'

/** Keeps a click from focusing a button: Space, pressed later for something else, must not repeat what it sent. */
export const withoutFocus = {
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
}
