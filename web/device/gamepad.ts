/** Browsers report gamepads only when asked. */
const pollMs = 40

/** Reports when any button of a connected gamepad goes down or up. Returns the unsubscribe function. */
export function onGamepadButton(listener: (isDown: boolean) => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined
  let wasDown = false
  const poll = () => {
    const pads = navigator.getGamepads().filter(pad => pad !== null)
    if (pads.length === 0) {
      clearInterval(timer)
      timer = undefined
    }
    const isDown = pads.some(({ buttons }) => buttons.some(({ pressed }) => pressed))
    if (isDown === wasDown) return
    wasDown = isDown
    listener(isDown)
  }
  const start = () => {
    timer ??= setInterval(poll, pollMs)
  }
  if (!('getGamepads' in navigator)) return () => {}
  window.addEventListener('gamepadconnected', start)
  if (navigator.getGamepads().some(pad => pad !== null)) start()
  return () => {
    clearInterval(timer)
    window.removeEventListener('gamepadconnected', start)
  }
}
