import { type ComponentProps, type ReactNode, useId } from 'react';

const FIELD =
  'h-8 w-full min-w-0 rounded-md border border-strong bg-surface px-2.5 placeholder:text-soft disabled:opacity-55';

/** A labelled control; `hidden` keeps the label for screen readers only. */
function Labelled({
  id,
  label,
  hidden,
  hint,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hidden: boolean;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className={hidden ? 'sr-only' : 'text-xs font-medium text-soft'}>
        {label}
      </label>
      {children}
      {hint !== undefined && <p className="text-xs text-soft">{hint}</p>}
    </div>
  );
}

interface LabelProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly hint?: ReactNode;
}

export function TextInput({
  label,
  hideLabel = false,
  hint,
  className = '',
  ...props
}: LabelProps & ComponentProps<'input'>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hidden={hideLabel} hint={hint}>
      <input
        id={id}
        className={`${FIELD} ${className}`}
        autoComplete="off"
        spellCheck={false}
        {...props}
      />
    </Labelled>
  );
}

export function TextArea({
  label,
  hideLabel = false,
  hint,
  className = '',
  ...props
}: LabelProps & ComponentProps<'textarea'>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hidden={hideLabel} hint={hint}>
      <textarea
        id={id}
        className={`${FIELD} h-24 py-1.5 font-mono text-xs ${className}`}
        spellCheck={false}
        {...props}
      />
    </Labelled>
  );
}

/** One of several values. `options`: value → its name. */
export function Choice({
  label,
  hideLabel = false,
  hint,
  options,
  value,
  onChoose,
}: LabelProps & {
  readonly options: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChoose: (value: string) => void;
}) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hidden={hideLabel} hint={hint}>
      <select
        id={id}
        className={FIELD}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
      >
        {Object.entries(options).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/**
 * The options of a choice that need not be made: `any` first, and the present value also where it is unknown.
 */
export function optionsOf(
  any: string,
  values: readonly string[],
  value: string,
): Readonly<Record<string, string>> {
  const choices = value === '' || values.includes(value) ? values : [...values, value];
  return { '': any, ...Object.fromEntries(choices.map((one) => [one, one])) };
}

/** A few choices that are all visible. */
export function Segments<T extends string>({
  label,
  options,
  value,
  onChoose,
}: {
  readonly label: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T;
  readonly onChoose: (value: T) => void;
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex rounded-md border border-strong bg-surface p-0.5"
    >
      {(Object.entries(options) as [T, string][]).map(([key, name]) => (
        <button
          key={key}
          type="button"
          aria-pressed={key === value}
          onClick={() => onChoose(key)}
          className="h-6 rounded px-2.5 text-xs font-medium text-soft hover:text-text aria-pressed:bg-sunken aria-pressed:text-text"
        >
          {name}
        </button>
      ))}
    </div>
  );
}
