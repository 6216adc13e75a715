import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import bar from './Bar.module.css'
import iconButton from './IconButton.module.css'
import styles from './Menu.module.css'
import { Picture } from './Picture.tsx'

interface Props {
  /** Accessible name of the button that opens the menu. */
  label: string
  /** Content of that button. */
  button: ReactNode
  /** Position of the button: in the bar, or at the right end of a row. */
  place?: 'bar' | 'row'
  /** Title and detail above the items. */
  title: string
  detail?: string
  children: ReactNode
}

/** A menu that opens from a button in the bar or in a row. */
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
  /** URL of a picture that replaces the letters, if there is one. */
  picture?: string | undefined
}

/** A person's initials (one or two letters) in a ring, or their picture. */
export function Initials({ children, picture }: InitialsProps) {
  return (
    <span className={styles.initials}>
      {children}
      {picture !== undefined && <Picture key={picture} src={picture} />}
    </span>
  )
}
