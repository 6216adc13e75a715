import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import bar from './Bar.module.css'
import iconButton from './IconButton.module.css'
import styles from './Menu.module.css'
import { Picture } from './Picture.tsx'

interface Props {
  /** Read out for the button that opens it. */
  label: string
  /** What is seen on that button. */
  button: ReactNode
  /** Where the button is: in the bar, or at the right end of a row. */
  place?: 'bar' | 'row'
  /** What the menu is about: a title and a detail above its items. */
  title: string
  detail?: string
  children: ReactNode
}

/** A menu that opens from a button of the bar or of a row. */
export function Menu({ label, button, place = 'bar', title, detail, children }: Props) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger
        className={place === 'bar' ? bar.link : iconButton.button}
        data-tight
        aria-label={label}
      >
        {button}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          className={styles.place}
          side="bottom"
          align="end"
          sideOffset={4}
          collisionPadding={8}
        >
          <BaseMenu.Popup className={styles.menu}>
            <BaseMenu.Group>
              <BaseMenu.GroupLabel className={styles.about}>
                <b>{title}</b>
                {detail !== undefined && <span>{detail}</span>}
              </BaseMenu.GroupLabel>
              {children}
            </BaseMenu.Group>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

interface ItemProps {
  icon: ReactNode
  children: ReactNode
  onChoose: () => void
}

export function MenuItem({ icon, children, onChoose }: ItemProps) {
  return (
    <BaseMenu.Item className={styles.item} onClick={onChoose}>
      {icon}
      {children}
    </BaseMenu.Item>
  )
}

interface InitialsProps {
  children: string
  /** Where a picture is that stands for the letters, if there is one. */
  picture?: string | undefined
}

/** One or two letters in a ring, for a person, or their picture. */
export function Initials({ children, picture }: InitialsProps) {
  return (
    <span className={styles.initials}>
      {children}
      {picture !== undefined && <Picture key={picture} src={picture} />}
    </span>
  )
}
