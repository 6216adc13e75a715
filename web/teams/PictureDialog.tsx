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

interface Props {
  title: string
  /** Explains where the picture is shown. */
  text: string
  /** The plate that the picture covers. */
  plate: { name: string; quiet?: boolean }
  /** URL of the current picture, if there is one. */
  current: string | undefined
  file: PictureFile
  onClose: () => void
}

/**
 * Dialog to choose or remove the picture that replaces the three letters. A refused picture stays selected, so that a
 * retry takes one press.
 */
export function PictureDialog({ title, text, plate, current, file, onClose }: Props) {
  const { save, remove } = usePicture(file, onClose)
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
    // An upload can be aborted by closing; a removal cannot.
    <FormDialog title={title} busy={remove.isPending} onClose={onClose}>
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
          <Button variant="quiet" disabled={remove.isPending} onClick={onClose}>
            {appText.cancel}
          </Button>
          <Button
            disabled={!chosen || busy}
            busy={save.isPending}
            onClick={() => chosen && save.mutate(chosen.file)}
          >
            {save.isError ? appText.tryAgain : appText.save}
          </Button>
        </DialogChoices>
      </Stack>
    </FormDialog>
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
