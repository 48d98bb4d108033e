export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Stands for the names of files, which each shell completes itself. */
export const FILES = ':files';

/**
 * What each shell is to run once. The program itself says what may follow, so that a script never grows old; what it says is
 * one candidate per line.
 */
export const SCRIPTS: Record<Shell, string> = {
  bash: `# holdpoint: completion for bash. Put into ~/.bashrc:  source <(holdpoint completion bash)
_holdpoint() {
  local line file current="\${COMP_WORDS[COMP_CWORD]#=}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line != "${FILES}" ]]; then
      COMPREPLY+=("$line")
      continue
    fi
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
  done < <("$1" completion bash --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _holdpoint holdpoint`,

  zsh: `#compdef holdpoint
# holdpoint: completion for zsh. Put into ~/.zshrc, after compinit:  source <(holdpoint completion zsh)
_holdpoint() {
  local line files=0
  local -a found
  while IFS= read -r line; do
    if [[ $line == "${FILES}" ]]; then files=1; else found+=("$line"); fi
  done < <("\${words[1]}" completion zsh --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && _describe -t holdpoint holdpoint found
  (( files )) && _files
}
if [[ "\${funcstack[1]}" == _holdpoint ]]; then _holdpoint "$@"; else compdef _holdpoint holdpoint; fi`,

  fish: `# holdpoint: completion for fish. Once:  holdpoint completion fish > ~/.config/fish/completions/holdpoint.fish
function __holdpoint_words
    set -l current (commandline -ct)
    set -l words (commandline -opc) "$current"
    for line in (holdpoint completion fish --words -- $words[2..-1] 2>/dev/null)
        if test "$line" = "${FILES}"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c holdpoint -f -a '(__holdpoint_words)'`,
};

export interface Candidate {
  value: string;
  about?: string;
}

/** How a candidate is told to each shell; bash shows no descriptions. */
export const CANDIDATES: Record<Shell, (candidate: Candidate) => string> = {
  bash: ({ value }) => value,
  zsh: ({ value, about }) => `${value.replaceAll(':', '\\:')}${about ? `:${about}` : ''}`,
  fish: ({ value, about }) => `${value}${about ? `\t${about}` : ''}`,
};
