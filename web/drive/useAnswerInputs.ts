import { useEffect, useEffectEvent, useRef } from 'react'
import { onGamepadButton } from '#web/device/gamepad.ts'
import { mediaButton } from '#web/device/mediaButton.ts'
import { pageClock } from '#web/device/pageClock.ts'
import { OneButton } from './oneButton.ts'

interface Inputs {
  /** A question is on the screen. */
  readonly isAsked: boolean
  /** The message on the screen. A press that began with another one counts for none. */
  readonly version: number
  readonly enabled: boolean
  readonly onYes: () => void
  readonly onNo: () => void
  readonly onProblem: () => void
  /** Acknowledges the message on the screen. */
  readonly acknowledge: () => void
}

/** Answers by keyboard, headset, gamepad, or a Bluetooth button that acts as a keyboard. */
export function useAnswerInputs(inputs: Inputs) {
  const read = useEffectEvent(() => inputs)
  const { isAsked, version, enabled } = inputs
  const reset = useRef(() => {})
  useEffect(() => {
    if (!enabled) return
    const yes = () => {
      if (read().isAsked) read().onYes()
    }
    const gestures = {
      onPress: yes,
      onDouble: () => {
        if (read().isAsked) read().onNo()
      },
      onHold: () => read().onProblem(),
      mayDouble: () => read().isAsked,
    }
    const key = new OneButton(pageClock, gestures)
    // Keys acknowledge by themselves: see useAcknowledging.
    const pad = new OneButton(pageClock, {
      ...gestures,
      onPress: () => (read().isAsked ? yes() : read().acknowledge()),
    })
    const problem = new OneButton(pageClock, {
      ...gestures,
      onPress: () => {},
      mayDouble: () => false,
    })
    reset.current = () => {
      for (const each of [key, pad, problem]) each.reset()
    }
    const undo = [
      onKeys({ key, problem, read }),
      onGamepadButton(isDown => (isDown ? pad.down() : pad.up())),
      mediaButton.onAction(action => {
        if (action === 'previoustrack') read().onProblem()
        else if (action === 'nexttrack') gestures.onDouble()
        else if (read().isAsked) yes()
        else return false
        return true
      }),
      reset.current,
    ]
    return () => {
      for (const each of undo) each()
    }
  }, [enabled])
  // Does not add the listeners again, which takes longer than rendering a message.
  useEffect(() => reset.current(), [isAsked, version])
}

interface Keys {
  key: OneButton
  /** The key P, which is only held. */
  problem: OneButton
  read: () => Inputs
}

/** Enter, Space and volume-like keys of a remote are its one button; Y, N and P answer directly. */
function onKeys({ key, problem, read }: Keys): () => void {
  const down = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLButtonElement || event.ctrlKey || event.metaKey) return
    const isAsked = read().isAsked
    const letter = event.key.toLowerCase()
    if (letter === 'p') problem.down()
    if (isAsked && !event.repeat && letter === 'y') read().onYes()
    if (isAsked && !event.repeat && letter === 'n') read().onNo()
    if (event.key !== 'Enter' && event.key !== ' ') return
    key.down()
    if (!isAsked) return
    // The drive screen would acknowledge the question.
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const up = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'p') problem.up()
    if (event.key === 'Enter' || event.key === ' ') key.up()
  }
  window.addEventListener('keydown', down, true)
  window.addEventListener('keyup', up, true)
  return () => {
    window.removeEventListener('keydown', down, true)
    window.removeEventListener('keyup', up, true)
  }
}
