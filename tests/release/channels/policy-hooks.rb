class PolicyHooks < Formula
  desc "%{summary}%"
  homepage "%{repository}%"
  version "%{version}%"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "%{url darwin-arm64}%"
      sha256 "%{sha256 darwin-arm64}%"
    end
    on_intel do
      url "%{url darwin-x64}%"
      sha256 "%{sha256 darwin-x64}%"
    end
  end

  on_linux do
    on_arm do
      url "%{url linux-arm64}%"
      sha256 "%{sha256 linux-arm64}%"
    end
    on_intel do
      url "%{url linux-x64}%"
      sha256 "%{sha256 linux-x64}%"
    end
  end

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["man/man1/*"]
    bash_completion.install Dir["completions/bash/*"]
    fish_completion.install Dir["completions/fish/*"]
    zsh_completion.install Dir["completions/zsh/*"]
    pkgshare.install "configs"
    doc.install "THIRD-PARTY-LICENSES.txt", "bill-of-materials.cdx.json"
  end

  def caveats
    <<~EOS
      Set up the hosts that you use:
        hook-runner init
    EOS
  end

  test do
    call = '{"session_id":"1","hook_event_name":"PreToolUse","cwd":"/","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}'
    assert_match '"permissionDecision":"deny"', pipe_output(bin/"command-blocker", call, 0)
  end
end
