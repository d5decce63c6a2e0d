{
  description = "%{summary}%";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      # The archives of release %{version}%, by Nix's name of the system.
      archives = {
        x86_64-linux = {
          url = "%{url linux-x64}%";
          sha256 = "%{sha256 linux-x64}%";
        };
        aarch64-linux = {
          url = "%{url linux-arm64}%";
          sha256 = "%{sha256 linux-arm64}%";
        };
        x86_64-darwin = {
          url = "%{url darwin-x64}%";
          sha256 = "%{sha256 darwin-x64}%";
        };
        aarch64-darwin = {
          url = "%{url darwin-arm64}%";
          sha256 = "%{sha256 darwin-arm64}%";
        };
      };
    in
    {
      packages = builtins.mapAttrs (
        system: archive:
        let
          pkgs = nixpkgs.legacyPackages.${system};
        in
        {
          default = pkgs.stdenvNoCC.mkDerivation {
            pname = "policy-hooks";
            version = "%{version}%";
            src = pkgs.fetchurl archive;
            # Static programs: nothing to patch, and their bytes stay those of the release.
            dontFixup = true;
            installPhase = ''
              mkdir -p $out/share/policy-hooks $out/share/doc/policy-hooks
              cp -r bin $out/
              cp -r man $out/share/
              cp -r configs $out/share/policy-hooks/
              cp THIRD-PARTY-LICENSES.txt bill-of-materials.cdx.json $out/share/doc/policy-hooks/
            '';
            meta = {
              description = "%{summary}%";
              homepage = "%{repository}%";
              license = with pkgs.lib.licenses; [
                mit
                asl20
              ];
              mainProgram = "hook-runner";
              platforms = builtins.attrNames archives;
            };
          };
        }
      ) archives;
    };
}
