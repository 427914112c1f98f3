import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { iconButtonLook } from './button-look.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

/** A password that can be looked at while it is typed. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      trailing={
        <button
          type="button"
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!isShown)}
          className={iconButtonLook('-outline-offset-2')}
        >
          {isShown ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        </button>
      }
    />
  )
}
