import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { fileTypes } from '#contract/shared/fileRules.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './PictureDialog.module.css'
import { type PictureFile, usePicture } from './usePicture.ts'

interface Shown {
  /** Explains where the picture is shown. */
  text: string
  /** The plate that the picture covers. */
  plate: { name: string; quiet?: boolean }
  /** URL of the current picture, if there is one. */
  current: string | undefined
}

interface Props extends Shown {
  open: boolean
  title: string
  file: PictureFile
  onClose: () => void
}

/** Dialog to choose or remove the picture that replaces the three letters. */
export function PictureDialog({ open, title, file, onClose, ...shown }: Props) {
  const picture = usePicture(file, onClose)
  function cancel() {
    picture.cancel()
    onClose()
  }
  return (
    // An upload can be aborted by closing; a removal cannot.
    <FormDialog open={open} title={title} busy={picture.remove.isPending} onClose={cancel}>
      <PictureForm {...shown} {...picture} cancel={cancel} />
    </FormDialog>
  )
}

type FormProps = Shown & ReturnType<typeof usePicture>

/** A refused picture stays selected, so that a retry takes one press. */
function PictureForm({ text, plate, current, save, remove, cancel }: FormProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  useEffect(() => () => chosen?.revoke(), [chosen])
  const failed = save.error ?? remove.error
  const busy = save.isPending || remove.isPending
  function choose(picked: File) {
    save.reset()
    remove.reset()
    setChosen(chosenFrom(picked))
  }
  return (
    <Stack>
      <p className={styles.shown}>
        <ThreeLetterPlate {...plate} picture={chosen?.preview ?? current} />
        <span className={typography.sub}>{chosen?.file.name ?? text}</span>
      </p>
      <PictureChoice
        label={chosen ? membersText.chooseAnother : membersText.choose}
        onPick={choose}
      />
      {failed && <DialogError>{refusalText(failed)}</DialogError>}
      {current !== undefined && !chosen && (
        <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {membersText.removePicture}
        </Button>
      )}
      <DialogChoices>
        <Button variant="quiet" disabled={remove.isPending} onClick={cancel}>
          {membersText.cancel}
        </Button>
        <Button
          disabled={!chosen || busy}
          busy={save.isPending}
          onClick={() => chosen && save.mutate(chosen.file)}
        >
          {save.isError ? appText.tryAgain : membersText.save}
        </Button>
      </DialogChoices>
    </Stack>
  )
}

/** A button that opens the browser's file picker. */
function PictureChoice({ label, onPick }: { label: string; onPick: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  function pick(event: ChangeEvent<HTMLInputElement>) {
    const picked = event.target.files?.[0]
    if (picked) onPick(picked)
    // Otherwise selecting the same file again would not fire a change event.
    event.target.value = ''
  }
  return (
    <>
      <input ref={input} type="file" hidden accept={pictureTypes} onChange={pick} />
      <Button variant="quiet" onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}

const pictureTypes = fileTypes.filter(type => type.startsWith('image/')).join()

/** A selected picture and its object URL. */
interface Chosen {
  file: File
  preview: string
  revoke: () => void
}

function chosenFrom(file: File): Chosen {
  const preview = URL.createObjectURL(file)
  return { file, preview, revoke: () => URL.revokeObjectURL(preview) }
}
