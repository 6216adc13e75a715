import { useState } from 'react'

/** Asks before `act`: `ask` opens the dialog, which closes before `act` runs. Spread `dialog` into a `ConfirmDialog`. */
export function useConfirmation(act: () => void) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return {
    ask: () => setOpen(true),
    dialog: {
      open,
      onCancel: close,
      onConfirm: () => {
        close()
        act()
      },
    },
  }
}
