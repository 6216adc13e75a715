import { type SyntheticEvent, useState } from 'react'
import type { OwnWord } from '#contract/ownWords.ts'
import {
  maxWordLetters,
  type WordColour,
  whyNotWord,
  wordColours,
  wordOf,
} from '#contract/shared/ownWords.ts'
import { detailSentences } from '#contract/shared/refusalDetails.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { wordsText } from '#web/text/words.ts'
import { PlateLook } from '#web/ui/board/FittedPlate.tsx'
import { FittedWord } from '#web/ui/board/FittedWord.tsx'
import tones from '#web/ui/board/tones.module.css'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { useSaveWord } from './useSaveWord.tsx'
import styles from './Words.module.css'

interface Props {
  teamId: string
  words: readonly OwnWord[]
  /** The edited word; null adds one. */
  word: OwnWord | null
  onClose: () => void
}

/** The dialog to add or edit a word. It stays open, with the typed text, until the server has stored it. */
export function WordDialog({ teamId, words, word, onClose }: Props) {
  const save = useSaveWord(teamId)
  // Made once: a repeated press saves the same word.
  const [id] = useState(() => word?.id ?? crypto.randomUUID())
  const [typed, setTyped] = useState(word?.text ?? '')
  const [colour, setColour] = useState<WordColour>(word?.colour ?? freeColour(words))
  const text = wordOf(typed)
  const refusal = whyRefused(text, id, words)
  const shown = text === '' || refusal === 'word-letters' ? wordsText.word.toUpperCase() : text
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!refusal) save.mutate({ id, text, colour }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={word ? wordsText.editWord : wordsText.add}
      busy={save.isPending}
      onClose={onClose}
    >
      <form noValidate className={styles.form} data-wide onSubmit={submit}>
        <Stack>
          <Field
            label={wordsText.word}
            value={typed}
            onChange={event => setTyped(event.target.value)}
            error={refusal && refusal !== 'missing' ? detailSentences[refusal] : undefined}
            maxLength={maxWordLetters}
            autoCapitalize="characters"
            spellCheck={false}
            className={styles.field ?? ''}
          />
          <fieldset className={styles.colours}>
            <legend>{wordsText.colour}</legend>
            {wordColours.map(each => (
              <label key={each} className={tones.toned} data-tone={each}>
                <input
                  type="radio"
                  name="colour"
                  checked={each === colour}
                  onChange={() => setColour(each)}
                />
                <i aria-hidden />
                {wordsText.colours[each]}
              </label>
            ))}
          </fieldset>
        </Stack>
        <div className={styles.shown}>
          <figure className={styles.preview} aria-label={wordsText.preview}>
            <PlateLook tone={colour}>{shown}</PlateLook>
            <span className={`${styles.glass} ${tones.toned}`} data-tone={colour}>
              <FittedWord variant="solid" breaks>
                {shown}
              </FittedWord>
            </span>
          </figure>
          {save.error && <DialogError>{refusalText(save.error)}</DialogError>}
          <SaveChoices
            cancelLabel={appText.cancel}
            saveLabel={save.error ? appText.tryAgain : appText.save}
            valid={refusal === null}
            busy={save.isPending}
            onCancel={onClose}
          />
        </div>
      </form>
    </FormDialog>
  )
}

function whyRefused(text: string, id: string, words: readonly OwnWord[]) {
  const others = words.filter(word => word.id !== id).map(word => withoutSpaces(word.text))
  return whyNotWord(text) ?? (others.includes(withoutSpaces(text)) ? 'word-taken' : null)
}

function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '')
}

/** A colour that no other word has, if there is one. */
function freeColour(words: readonly OwnWord[]): WordColour {
  const taken = words.map(({ colour }) => colour)
  return wordColours.find(each => !taken.includes(each)) ?? wordColours[0]
}
