import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type FieldErrors, type UseFormRegister, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { InputOf } from '#contract/api.ts'
import { deskText } from '#support/web/text/desk.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { showRefusedFields } from '#web/api/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { required } from '#web/ui/required.ts'
import { SubPage } from '#web/ui/SubPage.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { testsQuery } from '../deskQueries.ts'
import styles from './TaskFields.module.css'

/** Same limit as on the server. */
const maxTasks = 20
const emptyTask = { title: '', description: '', allowTyping: false }

/** Form for a new usability test: title, guidelines and tasks. */
export function NewTestScreen() {
  const { register, handleSubmit, formState, setError, ...form } = useForm<NewTest>({
    mode: 'onTouched',
    defaultValues: { title: '', guidelines: '', tasks: [emptyTask] },
  })
  const { errors } = formState
  // The form library's field arrays would add to the chunk that the sign-in loads.
  const [count, setCount] = useState(1)
  function remove(index: number) {
    const remaining = form.getValues('tasks').filter((_, at) => at !== index)
    form.setValue('tasks', remaining)
    form.clearErrors('tasks')
    setCount(remaining.length)
  }
  const make = useMakeTest((reason, { tasks: made }) =>
    showRefusedFields<NewTest>(
      reason,
      [
        'title',
        'guidelines',
        ...made.flatMap((_, index) => [
          `tasks.${index}.title` as const,
          `tasks.${index}.description` as const,
        ]),
      ],
      setError,
    ),
  )
  return (
    <SubPage
      page={deskText.newTitle}
      sub={deskText.newSub}
      backTo="/support/tests"
      back={deskText.toTests}
    >
      <form noValidate onSubmit={event => void handleSubmit(it => make.mutate(it))(event)}>
        <Stack>
          <Field
            {...register('title', required(deskText.missing))}
            label={deskText.title}
            error={errors.title?.message}
            maxLength={80}
          />
          <TextArea
            {...register('guidelines')}
            label={deskText.guidelines}
            error={errors.guidelines?.message}
            placeholder={deskText.guidelinesHint}
            maxLength={4000}
          />
          {Array.from({ length: count }, (_, index) => (
            <TaskFields
              key={index}
              index={index}
              register={register}
              errors={errors.tasks?.[index]}
              {...(count > 1 && { onRemove: () => remove(index) })}
            />
          ))}
          <Button
            variant="quiet"
            disabled={count >= maxTasks}
            onClick={() => setCount(before => before + 1)}
          >
            <Plus aria-hidden />
            {deskText.addTask}
          </Button>
          <Button type="submit" busy={make.isPending}>
            {deskText.make}
          </Button>
        </Stack>
      </form>
    </SubPage>
  )
}

/**
 * Creates a test and opens it. `shown` shows field errors of the server and returns whether there were
 * any.
 */
function useMakeTest(shown: (reason: unknown, test: NewTest) => boolean) {
  const client = useQueryClient()
  const toasts = useToasts()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (test: NewTest) => command('support.createTest', test),
    onMutate: () => toasts.dismiss('make-test'),
    onSuccess: async ({ id }) => {
      toasts.success(appText.success, deskText.made)
      void client.invalidateQueries({ queryKey: testsQuery.queryKey })
      await navigate(`/support/tests/${id}`, { replace: true })
    },
    onError: (reason, test) => {
      if (shown(reason, test)) return
      toasts.error(deskText.makeFailed, refusalText(reason), 'make-test')
    },
  })
}

type NewTest = InputOf<'support.createTest'>

interface Props {
  /** Zero-based position. */
  index: number
  register: UseFormRegister<NewTest>
  errors: FieldErrors<NewTest['tasks'][number]> | undefined
  /** Omitted for the only task. */
  onRemove?: () => void
}

/** The fields of one task in the form of a new test. */
function TaskFields({ index, register, errors, onRemove }: Props) {
  const number = wholeNumber(index + 1)
  return (
    <fieldset className={styles.task}>
      <legend className={typography.hidden}>{deskText.task(number)}</legend>
      <div className={styles.head} aria-hidden={!onRemove}>
        <span className={typography.h2} aria-hidden>
          {deskText.task(number)}
        </span>
        {onRemove && (
          <IconButton
            label={deskText.removeTask(number)}
            icon={<Trash2 aria-hidden />}
            onPress={onRemove}
          />
        )}
      </div>
      <Field
        {...register(`tasks.${index}.title`, required(deskText.missing))}
        label={deskText.taskTitle}
        error={errors?.title?.message}
        maxLength={80}
      />
      <TextArea
        {...register(`tasks.${index}.description`)}
        label={deskText.taskText}
        error={errors?.description?.message}
        maxLength={4000}
        rows={2}
      />
      <Checkbox {...register(`tasks.${index}.allowTyping`)} label={deskText.allowTyping} />
    </fieldset>
  )
}
