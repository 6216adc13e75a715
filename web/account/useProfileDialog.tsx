import { type ComponentType, useEffect, useState } from 'react'
import { whenIdle } from '#web/device/idle.ts'
import { reloadWhenReachable } from '#web/device/reloadWhenReachable.ts'

const load = () => import('./profileDialogs.tsx')

/** The name of a dialog of the profile. */
export type ProfileDialog = keyof Awaited<ReturnType<typeof load>>

/**
 * Loads the dialogs of the profile after the screen. Returns the open one, and `open` to open one by name.
 */
export function useProfileDialog() {
  const [Dialog, setDialog] = useState<ComponentType<{ onClose: () => void }> | null>(null)
  useEffect(() => whenIdle(() => void load().catch(() => undefined), 2000), [])
  return {
    open: (name: ProfileDialog) =>
      void load()
        .catch(reloadWhenReachable)
        .then(dialogs => setDialog(() => dialogs[name])),
    dialog: Dialog && <Dialog onClose={() => setDialog(null)} />,
  }
}
