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

/** Answers and acknowledges by keyboard, headset, gamepad, or a Bluetooth button that acts as a keyboard. */
export function useAnswerInputs(inputs: Inputs) {
  const read = useEffectEvent(() => inputs)
  const { isAsked, version, enabled } = inputs
  const reset = useRef(() => {})
  useEffect(() => {
    if (!enabled) return
    const gestures = {
      onPress: () => (read().isAsked ? read().onYes() : read().acknowledge()),
      onDouble: () => {
        if (read().isAsked) read().onNo()
      },
      onHold: () => read().onProblem(),
      mayDouble: () => read().isAsked,
    }
    const key = new OneButton(pageClock, gestures)
    const pad = new OneButton(pageClock, gestures)
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
        else if (read().isAsked) read().onYes()
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
    // On a focused button these keys press the button.
    if (event.target instanceof HTMLButtonElement || event.ctrlKey || event.metaKey) return
    const isOneButton = event.key === 'Enter' || event.key === ' '
    if (isOneButton) event.preventDefault()
    // A repeated key would begin a press after a hold, or over a newer message.
    if (event.repeat) return
    const letter = event.key.toLowerCase()
    if (isOneButton) key.down()
    if (letter === 'p') problem.down()
    if (read().isAsked && letter === 'y') read().onYes()
    if (read().isAsked && letter === 'n') read().onNo()
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
