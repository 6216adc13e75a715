import { type ReactNode, useRef } from 'react'
import { appText } from '#web/text/app.ts'
import { Button } from './Button.tsx'
import { CarPlate } from './CarPlate.tsx'
import styles from './Dialog.module.css'
import { HoldButton } from './HoldButton.tsx'
import typography from './theme/typography.module.css'
import { usePopups } from './usePopups.ts'
import { Stack } from './Wrap.tsx'

interface ConfirmProps {
  open: boolean
  title: string
  /** Number of the car that it is about. */
  car?: string | undefined
  text: string
  /** The button that changes nothing. It comes first and has the focus. */
  cancelLabel: string
  confirmLabel: string
  /** `danger` for an action that ends or removes something. */
  variant?: 'primary' | 'danger'
  /** The button must be held: what it does hurts during a race. */
  isHeld?: boolean
  busy?: boolean
  onCancel: () => void
  onConfirm: () => void
  /** A choice below the text. */
  children?: ReactNode
}

/** Asks for confirmation of an irreversible action. Escape cancels. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, title, text, cancelLabel, confirmLabel, variant = 'danger', busy = false } = props
  const { isHeld = false, onConfirm } = props
  const AlertDialog = usePopups(open)?.AlertDialog
  if (!AlertDialog) return null
  return (
    <AlertDialog.Root open={open} onOpenChange={next => !next && !busy && props.onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.scrim} />
        <AlertDialog.Popup className={styles.dialog} finalFocus={focusedAfter}>
          <AlertDialog.Title className={typography.h2}>
            <Car number={props.car} />
            {title}
          </AlertDialog.Title>
          <AlertDialog.Description className={typography.sub}>{text}</AlertDialog.Description>
          {props.children}
          <div className={styles.choices} data-choices="">
            <Button variant="quiet" onClick={props.onCancel}>
              {cancelLabel}
            </Button>
            {isHeld ? (
              <HoldButton busy={busy} onHold={onConfirm}>
                {confirmLabel}
              </HoldButton>
            ) : (
              <Button variant={variant} busy={busy} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            )}
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

interface FormDialogProps {
  open?: boolean
  title: ReactNode
  /** Number of the car that it is about. */
  car?: string | undefined
  /** Keeps the dialog open while a request is pending. */
  busy?: boolean
  /** Enter submits the form at once: its button has the focus, unless it is disabled. */
  focusesSubmit?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A small form in a dialog, shown while it is rendered. Escape and a press outside close it. The element with
 * `data-first` has the focus, else the first one.
 */
export function FormDialog({
  open = true,
  title,
  car,
  busy = false,
  focusesSubmit = false,
  onClose,
  children,
}: FormDialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const first = focusesSubmit ? 'button[type=submit]:enabled' : '[data-first]'
  const focused = () => popup.current?.querySelector<HTMLElement>(first) ?? true
  const BaseDialog = usePopups(open)?.Dialog
  if (!BaseDialog) return null
  return (
    <BaseDialog.Root open={open} onOpenChange={next => !next && !busy && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={styles.scrim} />
        <BaseDialog.Popup
          ref={popup}
          className={styles.dialog}
          initialFocus={focused}
          finalFocus={focusedAfter}
        >
          <BaseDialog.Title className={typography.h2}>
            <Car number={car} />
            {title}
          </BaseDialog.Title>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

/** On a screen whose keys send, the focus returns to its title: Enter must not open the dialog again. */
function focusedAfter(): HTMLElement | true {
  const isNested = document.querySelector('[role$=dialog][data-open]') !== null
  return (!isNested && document.querySelector<HTMLElement>('[data-keys] h1')) || true
}

/** A dialog that saves nothing: below its contents a button closes it. */
export function InfoDialog({ children, ...dialog }: Omit<FormDialogProps, 'focusesSubmit'>) {
  return (
    <FormDialog {...dialog}>
      <Stack>
        {children}
        <DialogChoices>
          <Button variant="quiet" onClick={dialog.onClose}>
            {appText.close}
          </Button>
        </DialogChoices>
      </Stack>
    </FormDialog>
  )
}

function Car({ number }: { number: string | undefined }) {
  if (number === undefined) return null
  return (
    <span className={styles.car}>
      <CarPlate number={number} />{' '}
    </span>
  )
}

/** The buttons at the bottom of a dialog, visible however long its content is. */
export function DialogChoices({ children }: { children: ReactNode }) {
  return (
    <div className={styles.choices} data-choices="">
      {children}
    </div>
  )
}

/** The reason why a dialog's request failed. */
export function DialogError({ children }: { children: ReactNode }) {
  return (
    <p className={styles.error} role="alert">
      {children}
    </p>
  )
}

interface SaveChoicesProps {
  cancelLabel: string
  saveLabel: string
  /** Disables saving while a field is invalid. */
  valid: boolean
  busy: boolean
  /** Saving removes something. */
  isDanger?: boolean
  onCancel: () => void
}

/** The buttons of a form in a dialog. */
export function SaveChoices(props: SaveChoicesProps) {
  const { cancelLabel, saveLabel, valid, busy, isDanger = false, onCancel } = props
  return (
    <DialogChoices>
      <Button variant="quiet" disabled={busy} onClick={onCancel}>
        {cancelLabel}
      </Button>
      <Button type="submit" variant={isDanger ? 'danger' : 'primary'} disabled={!valid} busy={busy}>
        {saveLabel}
      </Button>
    </DialogChoices>
  )
}
