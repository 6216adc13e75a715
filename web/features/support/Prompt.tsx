import { createRoot, type Root } from 'react-dom/client'
import { focusTitle } from '#web/ui/focusTitle.ts'
import { PromptCard } from './PromptCard.tsx'
import { ring } from './ring.ts'
import { showUndisturbed } from './undisturbed.ts'

/** What the add-on's options hand to a prompt: ours, see `promptsOf`. */
export interface Asking {
  text: string
  confirmBtn: string
  declineBtn: string
  /** Rings when it is shown. */
  rings?: boolean
  /** Refuses by itself after this time; the add-on does so only for calls and control. */
  unansweredMs?: number
}

/**
 * What an agent asks for, in the place of the add-on's ConfirmWindow, whose interface it has. It is not modal:
 * the team must be able to send a message meanwhile. While the driver reads one it waits.
 */
export class Prompt {
  readonly #asking: Asking
  #hide = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  #reject: (reason: string) => void = () => {}

  constructor(asking: Asking) {
    this.#asking = asking
  }

  /** Asks; true if it is allowed. Rejects when it is taken back before there is an answer. */
  mount(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      let card: Card | null = null
      this.#hide = showUndisturbed(
        () => {
          card = new Card(this.#asking, resolve)
          if (this.#asking.rings) ring()
        },
        () => card?.remove(),
      )
      const { unansweredMs } = this.#asking
      if (unansweredMs !== undefined) this.#timer = setTimeout(() => resolve(false), unansweredMs)
    })
  }

  remove() {
    clearTimeout(this.#timer)
    this.#hide()
    this.#reject('no answer')
  }
}

/** The card on the page. What had the focus gets it back, or the title of a page that has opened meanwhile. */
class Card {
  readonly #place = document.createElement('div')
  readonly #root: Root
  readonly #before = document.activeElement

  constructor(asking: Asking, answer: (allowed: boolean) => void) {
    document.body.append(this.#place)
    this.#root = createRoot(this.#place)
    this.#root.render(<PromptCard {...asking} onAnswer={answer} />)
  }

  remove() {
    this.#root.unmount()
    this.#place.remove()
    if (!this.#before?.isConnected) focusTitle()
    else if (this.#before instanceof HTMLElement) this.#before.focus({ preventScroll: true })
  }
}
