/** The sign of the product. */
export function Mark() {
  return (
    <svg aria-hidden="true" width="24" height="24" viewBox="0 0 32 32">
      <rect width="32" height="32" rx="7" className="fill-[#1f6f5c]" />
      <path
        d="M9.5 9.5H23M9.5 16h9M9.5 9.5v13.5"
        fill="none"
        stroke="#fff"
        strokeWidth="3.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
