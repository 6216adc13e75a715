import { type ComponentType, createElement, lazy, useState } from 'react'

/** A lazily loaded screen; `load` preloads its code and never rejects. */
interface Screen {
  readonly Component: ComponentType
  readonly load: () => Promise<void>
}

/** Returns a screen whose code is loaded once, when it is shown or preloaded. */
export function screen(load: () => Promise<ComponentType>): Screen {
  let loading: Promise<{ default: ComponentType }> | undefined
  let Loaded: ComponentType | undefined
  function start() {
    loading ??= load().then(Component => {
      Loaded = Component
      return { default: Component }
    })
    return loading
  }
  const Lazy = lazy(start)
  return {
    // `lazy` shows the fallback once even if the code is there, and React shows the screen 300 ms later.
    Component: function Screen() {
      const [Current] = useState(() => Loaded ?? Lazy)
      return createElement(Current)
    },
    // Rendering the screen throws the same error, and the error boundary handles it.
    load: () =>
      start().then(
        () => undefined,
        () => undefined,
      ),
  }
}
